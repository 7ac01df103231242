import { expect, test, type Page } from '@playwright/test'
import { results } from './catalogue'
import { callOf, KINDS, savable, write } from './kinds'
import { axe, layoutErrors, settled } from './layout'
import { upload } from './photos'
import { newReader, signUp } from './reader'

test.describe.configure({ mode: 'parallel' })

interface Section {
  hash: string
  call: string
  empty: string
}

const SECTIONS: readonly Section[] = [
  {
    hash: 'home',
    call: '/api/v2/profiles/me/dashboard/',
    empty: 'Nothing is kept here yet',
  },
  ...KINDS.map((kind) => ({ hash: kind.section, call: callOf(kind), empty: kind.empty })),
  { hash: 'ratings', call: '/api/v2/ratings/', empty: 'You have no rated places yet.' },
  { hash: 'photos', call: '/api/v2/photos/me', empty: 'You have no photos yet.' },
]

/** More than a page of each kind, if the city has as many. */
const FULL = 13

async function fill(page: Page): Promise<void> {
  for (const kind of KINDS) {
    const things = await savable(page.request, kind, FULL)
    await Promise.all(things.map(({ id }) => write(page, callOf(kind), { [kind.field]: id })))
  }
  const places = await results<{ id: number; name: string; share_url: string }>(
    page.request,
    `/api/v2/listings/?is_closed=0&ordering=-name&limit=${FULL}`,
  )
  for (const { id } of places) await write(page, '/api/v2/ratings/', { listing: id, rating: 4 })
  await upload(page, places[0]?.id ?? 0, 'The terrace at noon')
}

/** Opens a section with a full page load, so that nothing from before remains. */
async function open(page: Page, { hash }: Section): Promise<void> {
  await page.goto('about:blank')
  await page.goto(`/accounts/dashboard#/${hash}/`)
  await settled(page)
}

test('every section of the dashboard, empty, full and failing', async ({ page }) => {
  const [small, large] = [360, 1440]
  await page.setViewportSize({ width: small, height: 900 })
  await page.goto('/?signupDialogActive')
  await signUp(page, newReader())
  const check = async (what: string) => {
    expect(await layoutErrors(page, small), what).toEqual([])
    await axe(page, what)
  }

  // All sections have the same notice when they are empty, and another when they fail: its layout is checked once.
  for (const section of SECTIONS) {
    await open(page, section)
    await expect(page.getByText(section.empty)).toBeVisible()
    if (section === SECTIONS[0]) await check(`${section.hash}, empty`)
  }

  await fill(page)
  for (const section of SECTIONS) {
    await open(page, section)
    await expect(page.getByRole('heading', { level: 3 }).first()).toBeVisible()
    await expect(page.getByText(section.empty)).toBeHidden()
    const menu = page.getByRole('navigation', { name: 'Dashboard', exact: true })
    await expect(menu.locator('[aria-current]'), section.hash).toBeInViewport({ ratio: 1 })
    await check(`${section.hash}, full`)
    await page.setViewportSize({ width: large, height: 900 })
    expect(await layoutErrors(page, large), `${section.hash}, full, at ${large} px`).toEqual([])
    await page.setViewportSize({ width: small, height: 900 })
  }

  for (const section of SECTIONS) {
    const calls = (url: URL) => url.pathname === section.call
    await page.route(calls, (route) =>
      route.fulfill({ status: 500, json: { code: 'internal', detail: 'Internal error.' } }),
    )
    await page.goto('about:blank')
    await page.goto(`/accounts/dashboard#/${section.hash}/`)
    const failure = page.getByRole('alert').filter({ hasText: 'This did not load' })
    await expect(failure).toBeVisible()
    if (section === SECTIONS[0]) await check(`${section.hash}, failing`)
    await page.unroute(calls)
    await failure.getByRole('button', { name: 'Try again' }).click()
    await expect(page.getByRole('heading', { level: 3 }).first()).toBeVisible()
    await expect(failure).toBeHidden()
  }
})
