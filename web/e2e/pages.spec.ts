import { expect, test, type Browser, type Page } from '@playwright/test'
import { pagePaths, restrictedArticle } from './catalogue'
import { register } from './reader'
import { axe, CONTENT, layoutErrors, settled } from './layout'
import { listenToPolicy } from './policy'

const WIDTHS = [360, 768, 1440] as const

/** Both sides of each breakpoint; 360 px and 1440 px stand for the widths far from them. */
const BREAKPOINTS = [639, 640, 940, 941, 1019, 1020, 1024, 1025] as const

test.describe.configure({ mode: 'parallel' })

interface Complaints {
  list: string[]
}

/** Collects errors and warnings from the console, except an expected 404 or 400. */
function listen(page: Page): Complaints {
  const complaints: Complaints = { list: [] }
  page.on('pageerror', (error) => complaints.list.push(error.message))
  page.on('console', (message) => {
    if (!['error', 'warning'].includes(message.type())) return
    // The configuration blocks the service worker.
    const isExpected = /status of (404|400)|blocked by Playwright/.test(message.text())
    if (!isExpected) complaints.list.push(message.text())
  })
  return complaints
}

/**
 * Expects that axe finds nothing in the open dialog, light or dark, and that the page does not scroll sideways
 * at any of the widths.
 */
async function check(page: Page, what: string, widths: readonly number[] = WIDTHS): Promise<void> {
  await axe(page, what, '[role=dialog], [role=alertdialog]')
  const size = page.viewportSize()
  for (const width of widths) {
    await page.setViewportSize({ width, height: 900 })
    const overflow = await page.evaluate(
      () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
    )
    expect(overflow, `${what} scrolls sideways at ${width} px`).toBeLessThanOrEqual(0)
  }
  if (size) await page.setViewportSize(size)
}

/** A page at the smallest width, with the complaints of its console and its policy. */
async function openSmall(browser: Browser) {
  const context = await browser.newContext({
    viewport: { width: WIDTHS[0], height: 900 },
  })
  const page = await context.newPage()
  return { page, complaints: listen(page), refusals: await listenToPolicy(page) }
}

// Each worker takes half of the pages.
for (const half of [0, 1] as const) {
  test(`every page, light and dark, at every width and breakpoint, part ${half + 1}`, async ({
    browser,
    request,
  }) => {
    const { page, complaints, refusals } = await openSmall(browser)
    const pages = Object.entries(await pagePaths(request)).filter((_, at) => at % 2 === half)
    for (const [name, path] of pages) {
      await page.setViewportSize({ width: WIDTHS[0], height: 900 })
      await page.goto(path)
      await settled(page)
      // The whole of two pages is checked, since the large bar has its own colours.
      const isWhole = ['home', 'article'].includes(name)
      await axe(page, name, isWhole ? undefined : CONTENT)
      for (const width of [WIDTHS[0], ...BREAKPOINTS, WIDTHS[2]]) {
        await page.setViewportSize({ width, height: 900 })
        expect(await layoutErrors(page, width), `${name} at ${width} px`).toEqual([])
      }
      if (isWhole) await axe(page, `${name} on a large screen`)
    }
    expect(complaints.list).toEqual([])
    expect(refusals.list, 'refused by the policy').toEqual([])
    await page.context().close()
  })
}

test('the dialogs, light and dark, at every width', async ({ browser, request }) => {
  const { page, complaints, refusals } = await openSmall(browser)
  await page.goto('/places/')
  await settled(page)

  // A resize to the large bar closes the panels.
  const small = WIDTHS.filter((width) => width <= 1024)
  const menu = page.getByRole('button', { name: 'Menu' })
  await menu.click()
  await expect(page.getByRole('dialog')).toBeVisible()
  await check(page, 'menu', small)
  await page.keyboard.press('Escape')
  await expect(page.getByRole('dialog')).toBeHidden()
  await expect(menu).toBeFocused()

  await page.getByRole('button', { name: 'Log in or sign up' }).click()
  await expect(page.getByRole('dialog', { name: 'Your account' })).toBeVisible()
  await check(page, 'profile panel', small)
  await page.getByRole('button', { name: 'Log in', exact: true }).click()

  const login = page.getByRole('dialog', { name: 'Sign up or Log in' })
  await expect(login).toBeVisible()
  await expect(page.getByRole('dialog')).toHaveCount(1)
  await login.getByRole('button', { name: 'Log in to your account' }).click()
  await expect(login.getByText(/^\* /).first()).toBeVisible()
  await check(page, 'login')

  // The focus stays inside, in both directions.
  for (const key of ['Tab', 'Shift+Tab']) {
    for (let press = 0; press < 12; press += 1) {
      await page.keyboard.press(key)
      // The guards at both ends have the focus for a moment before they pass it on.
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
  await check(page, 'reset')
  await reset.getByRole('button', { name: 'Log in' }).click()
  await expect(page.getByRole('dialog')).toHaveCount(1)

  await login.getByRole('button', { name: 'Sign up', exact: true }).click()
  const signUpDialog = page.getByRole('dialog', { name: 'Create your free account' })
  await expect(signUpDialog).toBeVisible()
  await signUpDialog.getByLabel('Password', { exact: true }).fill('one')
  await signUpDialog.getByRole('button', { name: 'Sign up', exact: true }).click()
  await expect(signUpDialog.getByText("* The two passwords fields didn't match.")).toBeVisible()
  await check(page, 'sign-up')
  await page.keyboard.press('Escape')
  await expect(page.getByRole('dialog')).toHaveCount(0)

  await page.goto((await restrictedArticle(request)).share_url)
  await expect(page.getByRole('alertdialog')).toBeVisible()
  await check(page, 'age gate')

  // The panels have another form on a large screen.
  await page.setViewportSize({ width: 1440, height: 900 })
  await page.goto('/places/')
  await settled(page)
  await page.getByRole('button', { name: 'Log in or sign up' }).click()
  await expect(page.getByRole('dialog', { name: 'Your account' })).toBeVisible()
  await check(page, 'profile panel on a large screen', [1440])
  expect(complaints.list).toEqual([])
  expect(refusals.list, 'refused by the policy').toEqual([])
  await page.context().close()
})

test('the dialogs of the dashboard in every size and palette', async ({ page }) => {
  const complaints = listen(page)
  await page.setViewportSize({ width: WIDTHS[0], height: 900 })
  await register(page)
  // An unknown section is the home.
  await page.goto('/accounts/dashboard#/nowhere/')
  await expect(page.getByRole('link', { name: 'Home', exact: true }).last()).toHaveAttribute(
    'aria-current',
    'page',
  )
  await settled(page)
  for (const what of ['name', 'email', 'password']) {
    await page.getByRole('button', { name: `Change your ${what}` }).click()
    await expect(page.getByRole('dialog', { name: `Change your ${what}` })).toBeVisible()
    await check(page, `the change of the ${what}`)
    await page.keyboard.press('Escape')
    await expect(page.getByRole('dialog')).toHaveCount(0)
  }
  expect(complaints.list).toEqual([])
})
