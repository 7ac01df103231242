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

for (const name of ['home', 'article', 'place', 'section', 'type', 'events'] as const) {
  test(`a cold ${name} page requests nothing that it came with`, async ({ browser, request }) => {
    const path = (await pagePaths(request))[name] ?? ''
    const page = await open(browser, 1440)
    const calls: string[] = []
    page.on('request', (sent) => {
      const { pathname, search } = new URL(sent.url())
      if (pathname.startsWith('/api/')) calls.push(pathname + search)
    })
    await page.goto(path)
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
    await expect(page.locator('main [role=status][aria-label^=Loading]')).toHaveCount(0)
    await page.context().close()
  })
}

for (const width of [360, 1440]) {
  for (const name of ['home', 'article', 'place'] as const) {
    test(`a ${name} page with the styles it needs fits into ${FIRST_FLIGHT} bytes at ${width} px`, async ({
      browser,
      request,
    }) => {
      const path = (await pagePaths(request))[name] ?? ''
      const page = await open(browser, width)
      const { html, critical } = await htmlAndCriticalCss(page, path)
      const size = compressedSize(html) + compressedSize(critical)
      expect(critical.length).toBeGreaterThan(1000)
      expect(size).toBeLessThanOrEqual(FIRST_FLIGHT)
      await page.context().close()
    })
  }
}
