import { expect, type Page } from '@playwright/test'
import { FORCED_AFTER } from '../src/features/ads/refresh'
import { answerAds, isAsked, readToEnd, requestsOf } from './ads'
import { pagePaths } from './catalogue'
import { isTakenOver } from './looks'
import { test, type Networks } from './networks'
import { listenToPolicy } from './policy'

/** Requests of a kind that the stand-ins got. */
const of = ({ asked }: Networks, name: string) => asked.filter((url) => url.startsWith(`/${name}`))

async function read(page: Page, site: string): Promise<void> {
  const { article = '' } = await pagePaths(page.request)
  await page.setViewportSize({ width: 1440, height: 900 })
  await page.goto(site + article)
  await isTakenOver(page)
  await readToEnd(page)
}

/** From when the page begins to wait for bids, the browser has other work until the wait is over. */
const keepBusy = (forcedAfter: number): void => {
  const later = window.setTimeout
  const work = new MessageChannel()
  work.port1.onmessage = () => {
    const until = performance.now() + 1.5 * forcedAfter
    while (performance.now() < until);
  }
  const setTimeout = (run: () => void, after?: number): number => {
    if (after === forcedAfter) work.port2.postMessage('')
    return later(run, after)
  }
  Object.assign(window, { setTimeout })
}

test('a network fills what the site has no ad for, with the best bid, in one request', async ({
  page,
  serve,
  networks,
}) => {
  const site = await serve('guide', { also: networks.settings() })
  await page.addInitScript(keepBusy, FORCED_AFTER)
  await answerAds(page, { side: { size: '300x250' } })
  const refusals = await listenToPolicy(page)
  const asked = requestsOf(page, isAsked)
  await read(page, site)
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

  // They go with the page. On the next one nothing has to be loaded first, so the bids are there in time,
  // however busy the browser is.
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

for (const [what, behaviour, hasBid] of [
  ['bids that come at once', { bidAfter: 0, hasAd: true }, true],
  ['bids that come too late', { bidAfter: 1_000, hasAd: true }, false],
  ['bids that never come', { hasAd: true }, false],
  ['a script that is late', { scriptAfter: 1_000, bidAfter: 0, hasAd: true }, false],
] as const) {
  test(`${what} make one request`, async ({ page, serve, networks }) => {
    const site = await serve('guide', { also: networks.settings() })
    networks.behave(behaviour)
    await answerAds(page, {})
    const asked = requestsOf(page, isAsked)
    await read(page, site)
    await expect.poll(() => of(networks, 'ad?').length).toBe(1)
    await page.waitForTimeout(1_500)
    expect(asked).toHaveLength(1)
    expect(of(networks, 'ad?')).toHaveLength(1)
    if (!hasBid) expect(of(networks, 'ad?')[0]).not.toContain('1.20')
  })
}

test('blocked networks leave one request of our own, and no gap', async ({
  page,
  serve,
  networks,
}) => {
  const site = await serve('guide', { also: networks.settings() })
  await page.route(`${networks.url}/**`, (route) => route.abort())
  await answerAds(page, {})
  const asked = requestsOf(page, isAsked)
  await read(page, site)
  await expect(page.locator('#ad-lead')).toBeHidden()
  await page.waitForTimeout(1_000)
  expect(asked).toHaveLength(1)
})

test('a slot that the network leaves empty is gone', async ({ page, serve, networks }) => {
  const site = await serve('guide', { also: networks.settings() })
  networks.behave({ bidAfter: 0, hasAd: false })
  await answerAds(page, {})
  await read(page, site)
  await expect(page.locator('#ad-lead')).toBeHidden()
  await expect(page.locator('#ad-side')).toBeHidden()
  expect(of(networks, 'ad?')).toHaveLength(1)
})

test('under Global Privacy Control no network gets a request, and our own ads are there', async ({
  page,
  serve,
  networks,
}) => {
  const site = await serve('guide', { also: networks.settings() })
  await page.addInitScript(() => {
    Object.defineProperty(navigator, 'globalPrivacyControl', { value: true })
  })
  await answerAds(page, { side: { size: '300x250' } })
  await read(page, site)
  await expect(page.locator('#ad-side iframe')).toBeAttached()
  await expect(page.locator('#ad-lead')).toBeHidden()
  await page.waitForTimeout(1_000)
  expect(networks.asked).toEqual([])
})

test('where readers are asked, no network gets a request before the answer, nor after a refusal, and one after consent', async ({
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
    await answerAds(page, { side: { size: '300x250' } })
    const banner = page.getByRole('region', { name: 'Content of other companies' })

    await read(page, site)
    await expect(banner).toBeVisible()
    await expect(page.locator('#ad-side iframe')).toBeAttached()
    await expect(page.locator('#ad-lead')).toBeHidden()
    await page.waitForTimeout(1_000)
    expect(networks.asked).toEqual([])
    expect(elsewhere).toEqual([])

    await banner.getByRole('button', { name }).click()
    await expect(banner).toHaveCount(0)
    await read(page, site)
    await expect(page.locator('#ad-side iframe')).toBeAttached()
    await expect.poll(() => of(networks, 'ad?').length).toBe(requests)
    await page.waitForTimeout(1_000)
    expect(of(networks, 'ad?')).toHaveLength(requests)
    if (requests === 0) expect(networks.asked).toEqual([])
    await context.close()
  }
})
