import { expect, test, type Browser, type Page } from '@playwright/test'
import { pagePaths } from './catalogue'
import { compressedSize, htmlAndCriticalCss } from './critical-css'
import { isTakenOver } from './looks'
import { vitals, watchVitals } from './vitals'

const WIDTHS = [360, 1440]
/** Bytes of the first round trip of a connection (10 segments). */
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
    const asked: string[] = []
    page.on('request', (sent) => {
      const { pathname, search } = new URL(sent.url())
      if (pathname.startsWith('/api/')) asked.push(pathname + search)
    })
    await page.goto(path, { waitUntil: 'networkidle' })
    await isTakenOver(page)
    const text = await page.locator('#page-data').textContent()
    const came = (JSON.parse(text ?? '') as { call: string }[]).map(({ call }) => call)
    expect(came.length).toBeGreaterThan(0)
    const decoded = asked.map(decodeURIComponent)
    for (const call of came) expect(decoded).not.toContain(decodeURIComponent(call))
    // Nor is the path resolved, or the article or place fetched.
    const first = /resolve|articles\/\d+\/|listings\/\d+\//
    expect(decoded.filter((call) => first.test(call))).toEqual([])
    await expect(page.locator('main [role=status][aria-label^=Loading]')).toHaveCount(0)
    await page.context().close()
  })
}

test('a link that has the focus before the application starts keeps it', async ({ page }) => {
  let begin = () => {}
  const isTime = new Promise<void>((resolve) => (begin = resolve))
  await page.route(/\/assets\/first-[^/]*\.js$/, async (route) => {
    await isTime
    await route.continue()
  })
  await page.goto('/', { waitUntil: 'commit' })
  await expect(page.locator('footer')).toBeAttached()
  const lead = page.locator('main h2 a, main h3 a').first()
  await lead.focus()
  const title = (await lead.textContent()) ?? ''
  const scrollTop = () => page.evaluate(() => Math.round(window.scrollY))
  await page.evaluate(() => window.scrollTo({ top: 600, behavior: 'instant' }))
  await expect.poll(scrollTop).toBe(600)
  begin()
  await isTakenOver(page)
  await expect(lead).toBeFocused()
  await expect(lead).toHaveText(title)
  expect(await scrollTop()).toBe(600)
})

for (const width of WIDTHS) {
  for (const name of ['home', 'article', 'place'] as const) {
    test(`nothing moves while a ${name} page loads at ${width} px`, async ({
      browser,
      request,
    }) => {
      const path = (await pagePaths(request))[name] ?? ''
      const page = await open(browser, width)
      // Fonts that load late replace their fallbacks in a page that is already shown.
      await page.route(/\.woff2$/, async (route) => {
        await new Promise((resolve) => setTimeout(resolve, 500))
        await route.continue()
      })
      await watchVitals(page)
      await page.goto(path, { waitUntil: 'networkidle' })
      await isTakenOver(page)
      const { cls, moved } = await vitals(page)
      expect(cls, moved.join('\n')).toBeLessThan(0.02)
      await page.context().close()
    })

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
