import { expect, test, type Page } from '@playwright/test'
import { results } from './catalogue'
import { callOf, KINDS, savable } from './kinds'
import { axe, layoutErrors, settled } from './layout'
import { upload } from './photos'
import { post, register } from './reader'

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
    await Promise.all(things.map(({ id }) => post(page, callOf(kind), { [kind.field]: id })))
  }
  const places = await results<{ id: number; name: string; share_url: string }>(
    page.request,
    `/api/v2/listings/?is_closed=0&ordering=-name&limit=${FULL}`,
  )
  for (const { id } of places) await post(page, '/api/v2/ratings/', { listing: id, rating: 4 })
  await upload(page, places[0]?.id ?? 0, 'The terrace at noon')
}

/** Loads the dashboard, so that nothing from before remains. */
async function load(page: Page): Promise<void> {
  await page.goto('about:blank')
  await page.goto('/accounts/dashboard#/home/')
  await settled(page)
}

async function open(page: Page, { hash }: Section): Promise<void> {
  await page.goto(`/accounts/dashboard#/${hash}/`)
  await settled(page)
}

test('every section of the dashboard, empty, full and failing', async ({ page }) => {
  const [small, large] = [360, 1440]
  await page.setViewportSize({ width: small, height: 900 })
  await register(page)
  const check = async (what: string) => {
    expect(await layoutErrors(page, small), what).toEqual([])
    await axe(page, what)
  }

  // All sections have the same notice when they are empty, and another when they fail: its layout is checked once.
  await load(page)
  for (const section of SECTIONS) {
    await open(page, section)
    await expect(page.getByText(section.empty)).toBeVisible()
    if (section === SECTIONS[0]) await check(`${section.hash}, empty`)
  }

  await fill(page)
  await load(page)
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

  let failing = ''
  await page.route(
    (url) => url.pathname === failing,
    (route) =>
      route.fulfill({ status: 500, json: { code: 'internal', detail: 'Internal error.' } }),
  )
  for (const section of SECTIONS) {
    failing = section.call
    if (section === SECTIONS[0]) await load(page)
    else await open(page, section)
    const failure = page.getByRole('alert').filter({ hasText: 'This did not load' })
    await expect(failure).toBeVisible()
    if (section === SECTIONS[0]) await check(`${section.hash}, failing`)
    failing = ''
    await failure.getByRole('button', { name: 'Try again' }).click()
    await expect(page.getByRole('heading', { level: 3 }).first()).toBeVisible()
    await expect(failure).toBeHidden()
  }
})
