import { expect, test, type Browser, type Page } from '@playwright/test'
import { pagePaths } from './catalogue'
import { compressedSize, htmlAndCriticalCss } from './critical-css'
import { applicationRendered } from './layout'
import { pageLoaded } from './requests'

/** The bytes of the first round trip of a connection (10 segments). */
const FIRST_FLIGHT = 14 * 1024

async function open(browser: Browser, width: number): Promise<Page> {
  const context = await browser.newContext({
    viewport: { width, height: 900 },
    locale: 'en-CA',
  })
  return context.newPage()
}

/** Loads a page, and expects that its HTML and the styles that it needs fit into the first flight. */
async function expectFit(page: Page, path: string): Promise<void> {
  const { html, critical } = await htmlAndCriticalCss(page, path)
  expect(critical.length).toBeGreaterThan(1000)
  expect(compressedSize(html) + compressedSize(critical), path).toBeLessThanOrEqual(FIRST_FLIGHT)
}

for (const [name, fits] of [
  ['home', true],
  ['article', true],
  ['place', true],
  ['section', false],
  ['type', false],
  ['events', false],
  ['search', false],
] as const) {
  const size = fits ? `, and fits into ${FIRST_FLIGHT} bytes` : ''
  test(`a cold ${name} page requests nothing that it came with${size}`, async ({
    browser,
    request,
  }) => {
    const path = (await pagePaths(request))[name] ?? ''
    const page = await open(browser, 1440)
    const calls: string[] = []
    page.on('request', (sent) => {
      const { pathname, search } = new URL(sent.url())
      if (pathname.startsWith('/api/')) calls.push(pathname + search)
    })
    if (fits) await expectFit(page, path)
    else await page.goto(path)
    await applicationRendered(page)
    await pageLoaded(page)
    const text = await page.locator('#page-data').textContent()
    const came = (JSON.parse(text ?? '') as { call: string }[]).map(({ call }) => call)
    expect(came.length).toBeGreaterThan(0)
    const decoded = calls.map(decodeURIComponent)
    for (const call of came) expect(decoded).not.toContain(decodeURIComponent(call))
    // The path is not resolved, and the article or place is not fetched.
    const first = /resolve|articles\/\d+\/|listings\/\d+\//
    expect(decoded.filter((call) => first.test(call))).toEqual([])
    await expect(page.locator('main [role=group][aria-label^=Loading]')).toHaveCount(0)
    await page.context().close()
  })
}

test(`pages with the styles that they need fit into ${FIRST_FLIGHT} bytes on a phone`, async ({
  browser,
  request,
}) => {
  const paths = await pagePaths(request)
  const page = await open(browser, 360)
  for (const name of ['home', 'article', 'place']) await expectFit(page, paths[name] ?? '')
  await page.context().close()
})

test(`the page of the evening fits into ${FIRST_FLIGHT} bytes, and requests the day’s file once`, async ({
  browser,
}) => {
  const page = await open(browser, 360)
  await page.goto('/tonight/')
  await applicationRendered(page)
  await pageLoaded(page)
  // The application's request uses the linked file.
  const sizes = await page.evaluate(() => {
    const entries = performance.getEntriesByType('resource')
    const file = entries.filter(({ name }) => name.endsWith('/api/v2/tonight/'))
    return file.map(({ transferSize }) => transferSize)
  })
  expect(sizes.filter((size) => size > 0)).toHaveLength(1)
  await expectFit(page, '/tonight/')
  await page.context().close()
})
