import { expect, test, type Page } from '@playwright/test'
import { countSaved, firstControl, KINDS, savable, write } from './kinds'
import { newReader, signUp } from './reader'

const DAY = 24 * 60 * 60 * 1000
const LAST_ACTIVE = 'profile:lastActiveSessionMoment'
const [FAVOURITE] = KINDS
if (!FAVOURITE) throw new Error('No kinds')

/** The reader's keys in the browser's storage. */
const personalKeys = (page: Page) =>
  page.evaluate(() =>
    [...Object.keys(localStorage), ...Object.keys(sessionStorage)].filter((key) =>
      /^(profile|favourites|todos|ratings|.*-bookmarks):/.test(key),
    ),
  )
const account = (page: Page) => page.getByRole('button', { name: 'Your account', exact: true })

test('a reader is in until five days after the last activity, and then a guest at once', async ({
  page,
  context,
}) => {
  await page.goto('/?signupDialogActive')
  await signUp(page, newReader())
  const cookies = await context.cookies()
  await page.goto('/places/')
  const { button } = await firstControl(page, FAVOURITE)
  await button(page).click()
  await expect(button(page)).toHaveAttribute('aria-pressed', 'true')
  const now = Date.now()
  await page.clock.setFixedTime(now)

  for (const [when, stored, isIn] of [
    ['5 d − 1 s ago', now - 5 * DAY + 1000, true],
    ['5 d ago', now - 5 * DAY, false],
    ['5 d + 1 s ago', now - 5 * DAY - 1000, false],
    ['in the future', now + 1000, false],
    ['garbage', 'yesterday', false],
    ['absent', null, true],
  ] as const) {
    await context.addCookies(cookies)
    await page.evaluate(
      ([key, value]) =>
        value === null ? localStorage.removeItem(key) : localStorage.setItem(key, value),
      [LAST_ACTIVE, stored === null ? null : String(stored)] as const,
    )
    const personal: string[] = []
    const note = (request: { url(): string }) => {
      if (/\/api\/v2\/(profiles|favourites)\//.test(request.url())) personal.push(request.url())
    }
    page.on('request', note)
    await page.reload()
    const entry = isIn ? account(page) : page.getByRole('button', { name: 'Log in or sign up' })
    await expect(entry, when).toBeVisible()
    await expect(button(page), when).toHaveAttribute('aria-pressed', String(isIn))
    page.off('request', note)
    if (isIn) {
      expect(await page.evaluate((key) => localStorage.getItem(key), LAST_ACTIVE)).toBe(String(now))
      continue
    }
    expect(await personalKeys(page), when).toEqual([])
    expect(personal, when).toEqual([])
    const names = (await context.cookies()).map(({ name }) => name)
    expect(names, when).not.toContain('signed_in')
  }
})

for (const [storage, forbid] of [
  [
    'is forbidden',
    () => {
      for (const area of ['localStorage', 'sessionStorage'] as const) {
        Object.defineProperty(window, area, {
          get() {
            throw new DOMException('denied', 'SecurityError')
          },
        })
      }
    },
  ],
  [
    'is full',
    () => {
      Storage.prototype.setItem = () => {
        throw new DOMException('full', 'QuotaExceededError')
      }
    },
  ],
] as const) {
  test(`a site whose storage ${storage} works without it`, async ({ page }) => {
    const errors: string[] = []
    page.on('pageerror', (error) => errors.push(error.message))
    await page.addInitScript(forbid)
    await page.goto('/?signupDialogActive')
    await signUp(page, newReader())
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
    await page.getByRole('button', { name: 'Your account', exact: true }).click()
    await page.getByRole('button', { name: 'Log out now' }).click()
    await expect(page.getByRole('heading', { name: 'You are logged out' })).toBeVisible()
    await page.goto('/places/')
    await expect(button(page)).toHaveAttribute('aria-pressed', 'false')
    expect(errors).toEqual([])
  })
}

test('when another reader has signed in, nothing of the one before is shown or kept', async ({
  page,
  context,
  browser,
  baseURL,
}) => {
  const [first, second] = [newReader(), newReader()]
  const otherTab = await browser.newContext()
  const other = await otherTab.newPage()
  await other.goto('/?signupDialogActive')
  await signUp(other, { ...second, name: 'Kit Marlow' })
  const cookies = await otherTab.cookies()
  await otherTab.close()

  await page.goto('/?signupDialogActive')
  await signUp(page, first)
  const things = await Promise.all(
    KINDS.map(async (kind) => ({ kind, thing: (await savable(page.request, kind, 1))[0] })),
  )
  for (const { kind, thing } of things) {
    await write(page, `/api/v2/${kind.api}/`, { [kind.field]: thing?.id ?? 0 })
  }
  await page.evaluate(() => localStorage.setItem('debug_logging', '1'))
  await context.addCookies([{ name: 'is_user_over_18', value: 'true', url: baseURL ?? '' }])
  await page.goto('/accounts/dashboard#/favourites/')
  for (const { kind, thing } of things) {
    await page.goto(`/accounts/dashboard#/${kind.section}/`)
    await expect(page.getByRole('heading', { level: 3, name: thing?.name ?? '' })).toBeVisible()
  }
  await page.goto('/accounts/dashboard#/home/')
  await expect(page.getByText(first.email)).toBeVisible()
  expect(await personalKeys(page)).toContain(FAVOURITE.map)

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
  for (const { kind } of things) {
    await page.goto('about:blank')
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
