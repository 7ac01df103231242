import { expect, test, type Page, type Route } from '@playwright/test'
import { FIXED_PAGES, RESOLVED_PAGES } from '../src/routes/table'
import { pagePaths } from './catalogue'
import { rendered } from './clock'
import { axe, applicationRendered } from './layout'
import { pageLoaded } from './requests'

/** Longer than the pauses before failed requests and code are retried, in milliseconds. */
const RETRIES = 60_000

const names = (page: Page) => page.locator('main article h3')
const notice = (page: Page) => page.getByText('You are offline.')
const notLoaded = (page: Page) =>
  page.getByRole('main').getByRole('heading', { name: 'This has not loaded yet' })

test('offline, loaded content stays, and the rest loads when the network returns', async ({
  page,
  context,
}) => {
  await page.clock.install()
  await page.goto('/places/')
  await expect(names(page)).toHaveCount(12)
  await context.setOffline(true)
  await expect(notice(page)).toBeVisible()
  await expect(names(page)).toHaveCount(12)

  // The next page of the list waits for the network.
  await page.getByRole('button', { name: 'Load More' }).click()
  await page.clock.runFor(RETRIES)
  await rendered(page)
  await expect(names(page)).toHaveCount(12)
  await expect(page.getByRole('alert')).toHaveCount(0)
  await context.setOffline(false)
  await expect(notice(page)).toHaveCount(0)
  await expect(names(page)).toHaveCount(24)
  await expect(page.getByText('You are back online.')).toBeAttached()
})

test('a page that was never loaded appears when the network returns', async ({ page, context }) => {
  const errors: string[] = []
  page.on('pageerror', (error) => errors.push(error.message))
  await page.clock.install()
  await page.goto('/places/')
  const place = names(page).first()
  const name = (await place.textContent()) ?? ''
  await context.setOffline(true)
  await expect(notice(page)).toBeVisible()
  await place.getByRole('link').click()
  await page.clock.runFor(RETRIES)
  await rendered(page)
  await expect(notLoaded(page)).toBeVisible()
  await expect(page.getByText(/went wrong|did not load/)).toHaveCount(0)
  // Back still shows the list.
  await page.goBack()
  await expect(names(page).first()).toHaveText(name)
  await names(page).first().getByRole('link').click()
  await context.setOffline(false)
  await expect(page.getByRole('heading', { level: 1, name })).toBeVisible()
  expect(errors).toEqual([])
})

/** Pages that redirect guests. */
const OTHERS = ['/accounts/dashboard', '/profiles/logout']

/** The keys in `pagePaths` of the kinds that paths resolve to, if they differ from the table's. */
const NAMES: Record<string, string> = {
  listing: 'place',
  'listing-type': 'type',
  page: 'static-page',
}

test('every page that was never loaded shows a notice without a network, and no skeleton', async ({
  page,
  context,
  request,
}) => {
  const known = await pagePaths(request)
  const paths = [
    ...FIXED_PAGES.map(({ path }) => path as string).filter((path) => !OTHERS.includes(path)),
    ...Object.keys(RESOLVED_PAGES).map((kind) => known[NAMES[kind] ?? kind] ?? ''),
    ...['section', 'best-of', 'search'].map((name) => known[name] ?? ''),
  ]
  await page.clock.install()
  // A page that does not exist loads neither code nor data of others.
  await page.goto('/nothing/is-here/')
  await applicationRendered(page)
  await context.setOffline(true)
  await expect(notice(page)).toBeVisible()
  for (const path of paths) {
    // The router follows the address.
    await page.evaluate((to) => window.history.pushState({}, '', to), path)
    await page.clock.runFor(RETRIES)
    await rendered(page)
    await expect(notLoaded(page), path).toBeVisible()
    await expect(page.locator('main [role=group][aria-label^=Loading]'), path).toHaveCount(0)
  }
  await page.getByRole('button', { name: 'Go back' }).click()
  await page.clock.runFor(RETRIES)
  await context.setOffline(false)
  await expect(notLoaded(page)).toHaveCount(0)
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
})

test('a part whose code was loading when the network was lost appears when it returns', async ({
  page,
  context,
}) => {
  await page.clock.install()
  let isHeld = true
  const held: Route[] = []
  await page.route('**/assets/SubscribeForm-*', (route) =>
    isHeld ? void held.push(route) : route.continue(),
  )
  await page.goto('/places/')
  await applicationRendered(page)
  await page.getByRole('contentinfo').scrollIntoViewIfNeeded()
  await expect.poll(() => held.length).toBeGreaterThan(0)
  await context.setOffline(true)
  await expect(notice(page)).toBeVisible()
  const failed = page.waitForEvent('requestfailed', (request) =>
    request.url().includes('/assets/SubscribeForm-'),
  )
  for (const route of held) await route.abort('internetdisconnected')
  await failed
  await page.clock.runFor(RETRIES)
  await rendered(page)
  await expect(names(page)).toHaveCount(12)
  isHeld = false
  await context.setOffline(false)
  await expect(page.getByRole('contentinfo').getByRole('textbox')).toBeVisible()
})

test('failed requests are repeated when the network returns', async ({ page, context }) => {
  let isBroken = true
  await page.route('**/api/v2/listings/?*', (route) =>
    isBroken ? route.fulfill({ status: 500, body: '{}' }) : route.continue(),
  )
  // The document contains the list only in its default order: any other is requested.
  await page.goto('/places/?ordering=name')
  await expect(page.getByRole('heading', { name: 'This did not load' })).toBeVisible()
  await context.setOffline(true)
  await expect(notice(page)).toBeVisible()
  isBroken = false
  await context.setOffline(false)
  await expect(names(page)).toHaveCount(12)
})

test('the notice is accessible, and fits in every width', async ({ page, context }) => {
  await page.setViewportSize({ width: 360, height: 800 })
  // While offline, an incomplete page shows none of its content.
  await page.goto('/contact/')
  await applicationRendered(page)
  await pageLoaded(page)
  await context.setOffline(true)
  await expect(notice(page)).toBeVisible()
  await axe(page, 'offline')
  for (const width of [360, 768, 1440]) {
    await page.setViewportSize({ width, height: 800 })
    await expect(notice(page)).toBeInViewport()
    const { scrollWidth, clientWidth } = await page.evaluate(() => document.documentElement)
    expect(scrollWidth, `${width} px`).toBe(clientWidth)
  }
})
