import { expect, type Page } from '@playwright/test'
import { BID_WAIT, FORCED_AFTER } from '../src/features/ads/refresh'
import { answerAds, isAdsRequest, readToEnd, requestsOf, waitForAds } from './ads'
import { pagePaths } from './catalogue'
import { stopClock } from './clock'
import { applicationRendered } from './layout'
import { test, type Networks } from './networks'
import { listenToPolicy } from './policy'
import { holdRequests, requestsReported } from './requests'
import { scrollDown } from './scrolling'

/** The requests of a kind to the stand-ins. */
const of = ({ asked }: Networks, name: string) => asked.filter((url) => url.startsWith(`/${name}`))

/** Longer than any timer of ads, in milliseconds. */
const LONG = 60_000

async function openArticle(page: Page, site: string): Promise<void> {
  const { article = '' } = await pagePaths(page.request)
  await page.setViewportSize({ width: 1440, height: 900 })
  await page.goto(site + article)
  await applicationRendered(page)
}

/** Opens an article whose clock stops before its ads and networks are requested. */
async function openStopped(page: Page, site: string): Promise<void> {
  await page.clock.install()
  await waitForAds(page)
  const release = await holdRequests(page, /\/assets\/controller-[^/]*\.js$/)
  await openArticle(page, site)
  await stopClock(page)
  release()
}

/** Runs all timers of ads, and waits until the browser has reported their requests. */
async function letTimePass(page: Page): Promise<void> {
  await page.clock.runFor(LONG)
  await requestsReported(page)
}

/** Simulates a busy browser: when the page starts to wait for bids, the wait is over before the next task. */
const keepBusy = (forcedAfter: number): void => {
  const later = window.setTimeout
  const setTimeout = (run: () => void, after?: number): number =>
    later(run, after === forcedAfter ? 0 : after)
  Object.assign(window, { setTimeout })
}

test('a network fills the slots that the site cannot fill, with the best bid, in one request', async ({
  page,
  serve,
  networks,
}) => {
  const site = await serve('guide', { also: networks.settings() })
  await page.addInitScript(keepBusy, FORCED_AFTER)
  await answerAds(page, { side: { size: '300x250' } })
  const refusals = await listenToPolicy(page)
  const asked = requestsOf(page, isAdsRequest)
  await waitForAds(page)
  await openArticle(page, site)
  await readToEnd(page)
  await expect(page.locator('#ad-lead-network iframe')).toBeVisible()
  await expect(page.locator('#ad-side > div > div > iframe')).toBeAttached()
  expect(asked).toHaveLength(1)
  const first = of(networks, 'ad?')
  expect(first).toHaveLength(1)
  expect(decodeURIComponent(first[0] ?? '')).toMatch(
    /^\/ad\?held=true&units=\/1234\/guide\/lead(!|$)/,
  )
  expect(of(networks, 'safeframe')).toEqual(['/safeframe?true'])
  expect(refusals.list).toEqual([])

  // The networks' scripts are removed with the page. The next page has nothing to load first, so the bids arrive in
  // time, however busy the browser is.
  const isThere = () => 'requestBids' in ((window as { pbjs?: object }).pbjs ?? {})
  await expect.poll(() => page.evaluate(isThere)).toBe(true)
  await page.locator('.article_head .Kicker_kicker a').click()
  await expect.poll(() => of(networks, 'destroyed')).toEqual(['/destroyed?/1234/guide/lead'])
  await expect.poll(() => of(networks, 'ad?').length).toBe(2)
  expect(decodeURIComponent(of(networks, 'ad?')[1] ?? '')).toBe(
    '/ad?held=true&units=/1234/guide/lead!1.20',
  )
  expect(asked).toHaveLength(2)
})

test('bids that arrive immediately go with the one request', async ({ page, serve, networks }) => {
  const site = await serve('guide', { also: networks.settings() })
  await answerAds(page, {})
  const asked = requestsOf(page, isAdsRequest)
  await openStopped(page, site)
  await readToEnd(page)
  await letTimePass(page)
  expect(asked).toHaveLength(1)
  expect(of(networks, 'ad?')).toHaveLength(1)
  expect(decodeURIComponent(of(networks, 'ad?')[0] ?? '')).toContain('/1234/guide/lead!1.20')
})

for (const [what, late, awaited, wait] of [
  ['bids that arrive too late', 'bidAfter', 'bids', BID_WAIT],
  ['a script that is late', 'scriptAfter', 'prebid.js', FORCED_AFTER],
] as const) {
  test(`${what} make one request, without them`, async ({ page, serve, networks }) => {
    const site = await serve('guide', { also: networks.settings() })
    let arrive = () => {}
    const arrival = new Promise<void>((resolve) => (arrive = resolve))
    networks.behave({ hasAd: true, [late]: arrival })
    await answerAds(page, {})
    const asked = requestsOf(page, isAdsRequest)
    await openStopped(page, site)
    await expect(async () => {
      await scrollDown(page)
      expect(of(networks, awaited)).toHaveLength(1)
    }).toPass()
    await page.clock.runFor(wait - 1)
    await requestsReported(page)
    expect(asked).toEqual([])

    await page.clock.runFor(1)
    await readToEnd(page)
    await expect.poll(() => of(networks, 'ad?').length).toBe(1)
    const arrived = page.waitForEvent('requestfinished', (request) =>
      request.url().startsWith(`${networks.url}/${awaited}`),
    )
    arrive()
    await arrived
    await letTimePass(page)
    expect(asked).toHaveLength(1)
    expect(of(networks, 'ad?')).toHaveLength(1)
    expect(of(networks, 'ad?')[0]).not.toContain('1.20')
  })
}

test('blocked networks leave one request of the site, and no gap', async ({
  page,
  serve,
  networks,
}) => {
  const site = await serve('guide', { also: networks.settings() })
  await page.route(`${networks.url}/**`, (route) => route.abort())
  await answerAds(page, {})
  const asked = requestsOf(page, isAdsRequest)
  await openStopped(page, site)
  await readToEnd(page)
  await expect(page.locator('#ad-lead')).toBeHidden()
  await letTimePass(page)
  expect(asked).toHaveLength(1)
})

test('a slot that the network leaves empty collapses', async ({ page, serve, networks }) => {
  const site = await serve('guide', { also: networks.settings() })
  networks.behave({ hasAd: false })
  await answerAds(page, {})
  await openStopped(page, site)
  await readToEnd(page)
  await expect(page.locator('#ad-lead')).toBeHidden()
  await expect(page.locator('#ad-side')).toBeHidden()
  expect(of(networks, 'ad?')).toHaveLength(1)
})

test('under Global Privacy Control no network gets a request, and the site’s own ads are shown', async ({
  page,
  serve,
  networks,
}) => {
  const site = await serve('guide', { also: networks.settings() })
  await page.addInitScript(() => {
    Object.defineProperty(navigator, 'globalPrivacyControl', { value: true })
  })
  await answerAds(page, { side: { size: '300x250' } })
  const elsewhere = requestsOf(page, ({ origin }) => origin === networks.url)
  await openStopped(page, site)
  await readToEnd(page)
  await expect(page.locator('#ad-side iframe')).toBeAttached()
  await expect(page.locator('#ad-lead')).toBeHidden()
  await letTimePass(page)
  expect(elsewhere).toEqual([])
  expect(networks.asked).toEqual([])
})

test('if readers are asked, no network gets a request before the answer or after a refusal, and one after consent', async ({
  browser,
  serve,
  networks,
}) => {
  const site = await serve('news', { also: networks.settings() })
  for (const [name, requests] of [
    ['Only what is needed', 0],
    ['Accept all', 1],
  ] as const) {
    const context = await browser.newContext()
    const page = await context.newPage()
    const elsewhere = requestsOf(page, ({ origin }) => origin === networks.url)
    await page.clock.install()
    await waitForAds(page)
    await answerAds(page, { side: { size: '300x250' } })
    const banner = page.getByRole('region', { name: 'Content of other companies' })

    await openArticle(page, site)
    await readToEnd(page)
    await expect(banner).toBeVisible()
    await expect(page.locator('#ad-side iframe')).toBeAttached()
    await expect(page.locator('#ad-lead')).toBeHidden()
    await letTimePass(page)
    expect(networks.asked).toEqual([])
    expect(elsewhere).toEqual([])

    await banner.getByRole('button', { name }).click()
    await expect(banner).toHaveCount(0)
    await openArticle(page, site)
    await readToEnd(page)
    await expect(page.locator('#ad-side iframe')).toBeAttached()
    await expect.poll(() => of(networks, 'ad?').length).toBe(requests)
    await letTimePass(page)
    expect(of(networks, 'ad?')).toHaveLength(requests)
    if (requests === 0) expect(elsewhere).toEqual([])
    await context.close()
  }
})
