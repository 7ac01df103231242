import { expect, test, type Page } from '@playwright/test'
import { pagePaths, restrictedArticle } from './catalogue'
import { newReader, signUp } from './reader'
import { axe, layoutErrors, settled } from './looks'
import { listenToPolicy } from './policy'

const WIDTHS = [360, 768, 1440] as const

/** Both sides of each breakpoint of the spec, section 9, beside the nearest of the three widths. */
const BREAKPOINTS = { 360: [639, 640], 768: [940, 941, 1019, 1020], 1440: [1025, 1024] } as const

test.describe.configure({ mode: 'parallel' })

interface Complaints {
  list: string[]
}

/** Collects errors and warnings from the console. An expected 404 or 400 is not a complaint. */
function listen(page: Page): Complaints {
  const complaints: Complaints = { list: [] }
  page.on('pageerror', (error) => complaints.list.push(error.message))
  page.on('console', (message) => {
    if (!['error', 'warning'].includes(message.type())) return
    const isExpected = /status of (404|400)/.test(message.text())
    if (!isExpected) complaints.list.push(message.text())
  })
  return complaints
}

/** The page does not scroll sideways, and axe finds nothing in it, light or dark. */
async function check(page: Page, what: string): Promise<void> {
  const overflow = await page.evaluate(
    () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
  )
  expect(overflow, `${what} scrolls sideways`).toBeLessThanOrEqual(0)
  await axe(page, what)
}

for (const width of WIDTHS) {
  test(`every page at ${width} px, light and dark, and at the breakpoints beside it`, async ({
    browser,
    request,
  }) => {
    test.setTimeout(240_000)
    const context = await browser.newContext({
      viewport: { width, height: 900 },
      reducedMotion: 'reduce',
    })
    const page = await context.newPage()
    const complaints = listen(page)
    const refusals = await listenToPolicy(page)
    for (const [name, path] of Object.entries(await pagePaths(request))) {
      await page.setViewportSize({ width, height: 900 })
      await page.goto(path)
      await settled(page)
      await check(page, `${name} at ${width}`)
      for (const beside of BREAKPOINTS[width]) {
        await page.setViewportSize({ width: beside, height: 900 })
        expect(await layoutErrors(page, beside), `${name} at ${beside} px`).toEqual([])
      }
    }
    expect(complaints.list).toEqual([])
    expect(refusals.list, 'refused by the policy').toEqual([])
    await context.close()
  })

  test(`the dialogs at ${width} px, light and dark`, async ({ browser, request }) => {
    const context = await browser.newContext({
      viewport: { width, height: 900 },
      reducedMotion: 'reduce',
    })
    const page = await context.newPage()
    const complaints = listen(page)
    const refusals = await listenToPolicy(page)
    await page.goto('/places/')
    await settled(page)

    if (width <= 1024) {
      const menu = page.getByRole('button', { name: 'Menu' })
      await menu.click()
      await expect(page.getByRole('dialog')).toBeVisible()
      await check(page, `menu at ${width}`)
      await page.keyboard.press('Escape')
      await expect(page.getByRole('dialog')).toBeHidden()
      await expect(menu).toBeFocused()
    }

    await page.getByRole('button', { name: 'Log in or sign up' }).click()
    await expect(page.getByRole('dialog', { name: 'Your account' })).toBeVisible()
    await check(page, `profile panel at ${width}`)
    await page.getByRole('button', { name: 'Log in', exact: true }).click()

    const login = page.getByRole('dialog', { name: 'Sign up or Log in' })
    await expect(login).toBeVisible()
    await expect(page.getByRole('dialog')).toHaveCount(1)
    await login.getByRole('button', { name: 'Log in to your account' }).click()
    await expect(login.getByText(/^\* /).first()).toBeVisible()
    await check(page, `login at ${width}`)

    // The focus stays inside, both ways round.
    for (const key of ['Tab', 'Shift+Tab']) {
      for (let press = 0; press < 12; press += 1) {
        await page.keyboard.press(key)
        // The guards at both ends hold the focus for a moment before they pass it on.
        await expect
          .poll(() => login.evaluate((node) => node.contains(document.activeElement)))
          .toBe(true)
      }
    }

    await login.getByRole('button', { name: 'Forgot password?' }).click()
    const reset = page.getByRole('dialog', { name: 'Reset your password' })
    await expect(reset).toBeVisible()
    await expect(page.getByRole('dialog')).toHaveCount(1)
    await expect(reset.getByLabel('Email used for account')).toBeFocused()
    await reset.getByRole('button', { name: 'Send me a link' }).click()
    await expect(reset.getByText(/^\* /)).toBeVisible()
    await check(page, `reset at ${width}`)
    await reset.getByRole('button', { name: 'Log in' }).click()
    await expect(page.getByRole('dialog')).toHaveCount(1)

    await login.getByRole('button', { name: 'Sign up', exact: true }).click()
    const signUpDialog = page.getByRole('dialog', { name: 'Create your free account' })
    await expect(signUpDialog).toBeVisible()
    await signUpDialog.getByLabel('Password', { exact: true }).fill('one')
    await signUpDialog.getByRole('button', { name: 'Sign up', exact: true }).click()
    await expect(signUpDialog.getByText("* The two passwords fields didn't match.")).toBeVisible()
    await check(page, `sign-up at ${width}`)
    await page.keyboard.press('Escape')
    await expect(page.getByRole('dialog')).toHaveCount(0)

    await page.goto((await restrictedArticle(request)).share_url)
    await expect(page.getByRole('alertdialog')).toBeVisible()
    await check(page, `age gate at ${width}`)
    expect(complaints.list).toEqual([])
    expect(refusals.list, 'refused by the policy').toEqual([])
    await context.close()
  })
}

test('the home of the dashboard in every size and palette', async ({ page }) => {
  test.setTimeout(180_000)
  await page.emulateMedia({ reducedMotion: 'reduce' })
  const complaints = listen(page)
  await page.goto('/?signupDialogActive')
  await signUp(page, newReader())

  const visit = async (state: string): Promise<void> => {
    for (const width of WIDTHS) {
      await page.setViewportSize({ width, height: 900 })
      await page.goto('/accounts/dashboard#/home/')
      await settled(page)
      await check(page, `${state} home at ${width}`)
    }
  }

  await visit('empty')
  for (const what of ['name', 'email', 'password']) {
    await page.goto('/accounts/dashboard#/home/')
    await page.getByRole('button', { name: `Change your ${what}` }).click()
    const dialog = page.getByRole('dialog', { name: `Change your ${what}` })
    for (const width of WIDTHS) {
      await page.setViewportSize({ width, height: 900 })
      await expect(dialog).toBeVisible()
      await check(page, `the change of the ${what} at ${width}`)
    }
    await page.keyboard.press('Escape')
  }
  await page.goto('/places/')
  const heart = page.getByRole('button', { name: /^Favourite / }).first()
  await heart.click()
  await expect(heart).toHaveAttribute('aria-pressed', 'true')
  await visit('filled')

  await page.goto('/accounts/dashboard#/nowhere/')
  await expect(page.getByRole('link', { name: 'Home', exact: true }).last()).toHaveAttribute(
    'aria-current',
    'page',
  )
  expect(complaints.list).toEqual([])
})

test('a small screen does not scroll behind its menu, and does again afterwards', async ({
  page,
}) => {
  await page.setViewportSize({ width: 800, height: 700 })
  await page.goto('/places/')
  await settled(page)
  const canScroll = async (): Promise<boolean> => {
    await page.mouse.move(780, 400)
    const before = await page.evaluate(() => window.scrollY)
    await page.mouse.wheel(0, 200)
    await page.waitForTimeout(300)
    return (await page.evaluate(() => window.scrollY)) > before
  }
  await page.getByRole('button', { name: 'Menu' }).click()
  await expect(page.getByRole('dialog')).toBeVisible()
  expect(await canScroll()).toBe(false)
  await page.setViewportSize({ width: 1100, height: 700 })
  await expect(page.getByRole('dialog')).toHaveCount(0)
  expect(await canScroll()).toBe(true)
})
