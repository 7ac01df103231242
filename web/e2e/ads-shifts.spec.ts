import { expect, test } from '@playwright/test'
import { ADS, allFilled, pathOf, waitForAds } from './ads'
import { rendered } from './clock'
import { applicationRendered, settled } from './layout'
import { holdRequests } from './requests'
import { scrollDown } from './scrolling'
import { vitals, watchVitals } from './vitals'

test.describe.configure({ mode: 'parallel' })

for (const [width, names] of [
  [360, ['home', 'article', 'place']],
  [1440, ['home', 'article', 'section', 'video']],
] as const) {
  for (const name of names) {
    test(`nothing moves when the ads of the page "${name}" arrive at ${width} px`, async ({
      page,
    }) => {
      await watchVitals(page)
      await waitForAds(page)
      // Other content arrives while the reader is below it, as on a slow machine.
      const releaseOthers = await holdRequests(page, /\/api\/v2\/(?!ads\/)/)
      const releaseAds = await holdRequests(page, ADS)
      let isAsked = false
      const answered = page.waitForResponse(ADS)
      void page.waitForRequest(ADS).then(() => (isAsked = true))
      const path = await pathOf(page, name)
      await page.setViewportSize({ width, height: 900 })
      await page.goto(path)
      await applicationRendered(page)
      await expect(async () => {
        await scrollDown(page)
        expect(isAsked).toBe(true)
      }).toPass()
      releaseAds()
      await answered
      await allFilled(page)
      await page.evaluate(() => window.scrollBy({ top: -400, behavior: 'instant' }))
      await rendered(page)
      releaseOthers()
      await settled(page)
      await rendered(page)
      await page.evaluate(() => window.scrollTo({ top: 0, behavior: 'instant' }))
      await rendered(page)
      const { cls, moved } = await vitals(page)
      expect(cls, moved.join('\n')).toBeLessThan(0.02)
    })
  }
}
