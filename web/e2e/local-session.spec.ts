import { expect, test, type Page } from '@playwright/test'
import { countSaved, FAVOURITE, firstControl, KINDS, savable } from './kinds'
import { newReader, post, register } from './reader'
import { pageLoaded } from './requests'

// `session.test.ts` tests the age of the last activity, `storage.test.ts` each failure of the storage.

const DAY = 24 * 60 * 60 * 1000

/** The reader's keys in the browser's storage. */
const personalKeys = (page: Page) =>
  page.evaluate(() =>
    [...Object.keys(localStorage), ...Object.keys(sessionStorage)].filter((key) =>
      /^(profile|favourites|todos|ratings|.*-bookmarks):/.test(key),
    ),
  )
const account = (page: Page) => page.getByRole('button', { name: 'Your account', exact: true })

test('a reader is a guest five days after the last activity, before any personal call', async ({
  page,
  context,
}) => {
  const start = new Date('2026-11-20T18:00:00Z')
  await page.clock.setFixedTime(start)
  await register(page)
  await page.goto('/places/')
  const { button } = await firstControl(page, FAVOURITE)
  await button(page).click()
  await expect(button(page)).toHaveAttribute('aria-pressed', 'true')
  await page.clock.setFixedTime(start.getTime() + 5 * DAY - 1)
  await page.reload()
  await expect(account(page)).toBeVisible()
  await expect(button(page)).toHaveAttribute('aria-pressed', 'true')

  // The reader's own calls have ended.
  await pageLoaded(page)
  const personal: string[] = []
  page.on('request', (request) => {
    if (/\/api\/v2\/(profiles|favourites)\//.test(request.url())) personal.push(request.url())
  })
  await page.clock.setFixedTime(start.getTime() + 10 * DAY - 1)
  await page.reload()
  await expect(page.getByRole('button', { name: 'Log in or sign up' })).toBeVisible()
  await expect(button(page)).toHaveAttribute('aria-pressed', 'false')
  expect(await personalKeys(page)).toEqual([])
  expect(personal).toEqual([])
  expect((await context.cookies()).map(({ name }) => name)).not.toContain('signed_in')
})

test('a site whose storage is forbidden works without it', async ({ page }) => {
  const errors: string[] = []
  page.on('pageerror', (error) => errors.push(error.message))
  await page.addInitScript(() => {
    for (const area of ['localStorage', 'sessionStorage'] as const) {
      Object.defineProperty(window, area, {
        get() {
          throw new DOMException('denied', 'SecurityError')
        },
      })
    }
  })
  await register(page)
  await page.goto('/places/')
  const { name, button } = await firstControl(page, FAVOURITE)
  await button(page).click()
  await expect(button(page)).toHaveAttribute('aria-pressed', 'true')
  // The control changes its state before the server has stored the favourite.
  await expect.poll(() => countSaved(page, FAVOURITE)).toBe(1)
  await page.goto('/accounts/dashboard#/favourites/')
  const heading = page.getByRole('heading', { level: 3, name })
  await expect(heading).toBeVisible()
  await heading.getByRole('link').click()
  await expect(page.getByRole('heading', { level: 1, name })).toBeVisible()
  await page.goBack()
  await expect(heading).toBeVisible()
  await button(page).click()
  await expect(page.getByText(FAVOURITE.empty)).toBeVisible()
  await account(page).click()
  await page.getByRole('button', { name: 'Log out now' }).click()
  await expect(page.getByRole('heading', { name: 'You are logged out' })).toBeVisible()
  await page.goto('/places/')
  await expect(button(page)).toHaveAttribute('aria-pressed', 'false')
  expect(errors).toEqual([])
})

test('when another reader has signed in, nothing of the one before is shown or kept', async ({
  page,
  context,
  browser,
  baseURL,
}) => {
  const otherTab = await browser.newContext()
  await register(otherTab, { ...newReader(), name: 'Kit Marlow' })
  const cookies = await otherTab.cookies()
  await otherTab.close()

  const first = await register(page)
  const things = await Promise.all(
    KINDS.map(async (kind) => ({ kind, thing: (await savable(page.request, kind, 1))[0] })),
  )
  for (const { kind, thing } of things) {
    await post(page, `/api/v2/${kind.api}/`, { [kind.field]: thing?.id ?? 0 })
  }
  await context.addCookies([{ name: 'is_user_over_18', value: 'true', url: baseURL ?? '' }])
  for (const { kind, thing } of things) {
    await page.goto(`/accounts/dashboard#/${kind.section}/`)
    await expect(page.getByRole('heading', { level: 3, name: thing?.name ?? '' })).toBeVisible()
  }
  await page.goto('/accounts/dashboard#/home/')
  await expect(page.getByText(first.email)).toBeVisible()
  expect(await personalKeys(page)).toContain(FAVOURITE.map)
  await page.evaluate(() => localStorage.setItem('debug_logging', '1'))

  // Like a sign-in in another tab that did not notify this one.
  await context.addCookies(cookies)
  const secrets = [first.email, 'Robin', ...things.map(({ thing }) => thing?.name ?? '')]
  await page.addInitScript((texts) => {
    const seen: string[] = []
    Object.assign(window, { seen })
    new MutationObserver(() => {
      const text = document.querySelector('main')?.textContent ?? ''
      seen.push(...texts.filter((one) => text.includes(one)))
    }).observe(document, { childList: true, subtree: true, characterData: true })
  }, secrets)
  const expectNothing = async () =>
    expect(await page.evaluate(() => (window as unknown as { seen: string[] }).seen)).toEqual([])
  await page.goto('about:blank')
  for (const { kind } of things) {
    await page.goto(`/accounts/dashboard#/${kind.section}/`)
    await expect(page.getByText(kind.empty)).toBeVisible()
    await expectNothing()
  }
  await page.goto('/accounts/dashboard#/home/')
  await expect(page.getByRole('heading', { name: 'Hello, Kit' })).toBeVisible()
  await expect(page.getByText('Nothing is kept here yet')).toBeVisible()
  await expectNothing()
  const stored = await page.evaluate(() => JSON.stringify([localStorage, sessionStorage]))
  for (const secret of secrets) expect(stored).not.toContain(secret)
  for (const { kind, thing } of things) {
    const map = await page.evaluate((key) => localStorage.getItem(key), kind.map)
    expect(map ?? '', kind.map).not.toContain(`"${thing?.id ?? 0}"`)
  }
  expect(await page.evaluate(() => localStorage.getItem('debug_logging'))).toBe('1')
  const names = (await context.cookies()).map(({ name }) => name)
  expect(names).toContain('is_user_over_18')
})
