import { expect, test, type Browser, type Page } from '@playwright/test'
import { pagePaths } from './catalogue'
import { rendered } from './clock'
import { applicationRendered } from './layout'
import { holdRequests, pageLoaded } from './requests'
import { vitals, watchVitals } from './vitals'

const WIDTHS = [360, 1440]

async function open(browser: Browser, width: number): Promise<Page> {
  const context = await browser.newContext({
    viewport: { width, height: 900 },
    locale: 'en-CA',
  })
  return context.newPage()
}

test('a link that has the focus before the application starts keeps it', async ({ page }) => {
  const begin = await holdRequests(page, /\/assets\/first-[^/]*\.js$/)
  await page.goto('/', { waitUntil: 'commit' })
  await expect(page.locator('footer')).toBeAttached()
  const lead = page.locator('main h2 a, main h3 a').first()
  await lead.focus()
  const title = (await lead.textContent()) ?? ''
  const scrollTop = () => page.evaluate(() => Math.round(window.scrollY))
  await page.evaluate(() => window.scrollTo({ top: 600, behavior: 'instant' }))
  await expect.poll(scrollTop).toBe(600)
  begin()
  await applicationRendered(page)
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
      // Late fonts replace their fallbacks in a page that is already shown.
      const releaseFonts = await holdRequests(page, /\.woff2$/)
      await watchVitals(page)
      await page.goto(path, { waitUntil: 'domcontentloaded' })
      await applicationRendered(page)
      await rendered(page)
      releaseFonts()
      await pageLoaded(page)
      await page.evaluate(() => document.fonts.ready)
      await rendered(page)
      const { cls, moved } = await vitals(page)
      expect(cls, moved.join('\n')).toBeLessThan(0.02)
      await page.context().close()
    })
  }
}
