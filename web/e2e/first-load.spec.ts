import { expect, test } from '@playwright/test'
import { pagePaths } from './catalogue'
import { rendered } from './clock'
import { applicationRendered } from './layout'
import { holdRequests, pageLoaded } from './requests'
import { vitals, watchVitals } from './vitals'

const FONTS = /\.woff2$/

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

for (const [width, names] of [
  [360, ['home', 'article', 'place', 'section', 'archives', 'static-page']],
  [1440, ['home', 'article', 'place', 'section']],
] as const) {
  test(`nothing moves while pages load at ${width} px`, async ({ page, request }) => {
    const paths = await pagePaths(request)
    await page.setViewportSize({ width, height: 900 })
    await watchVitals(page)
    for (const name of names) {
      // Late fonts replace their fallbacks in a page that is already shown.
      const releaseFonts = await holdRequests(page, FONTS)
      await page.goto(paths[name] ?? '', { waitUntil: 'domcontentloaded' })
      await applicationRendered(page)
      await rendered(page)
      releaseFonts()
      await pageLoaded(page)
      await page.evaluate(() => document.fonts.ready)
      await rendered(page)
      const { cls, moved } = await vitals(page)
      expect(cls, [name, ...moved].join('\n')).toBeLessThan(0.02)
      await page.unroute(FONTS)
    }
  })
}
