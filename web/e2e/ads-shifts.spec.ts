import { expect, test, type Page } from '@playwright/test'
import { ADS, openPage, pathOf } from './ads'
import { vitals, watchVitals } from './vitals'

test.describe.configure({ mode: 'parallel' })

/** Holds the API's answers to all calls of a page but those for ads; returns how to release them. */
async function holdAnswers(page: Page): Promise<() => void> {
  let release = () => {}
  const isReleased = new Promise<void>((resolve) => (release = resolve))
  await page.route(/\/api\/v2\/(?!ads\/)/, async (route) => {
    await isReleased
    await route.continue()
  })
  return release
}

for (const width of [360, 1440]) {
  for (const [name, a] of [
    ['home', 'the'],
    ['article', 'an'],
    ['place', 'a'],
    ['section', 'a'],
    ['video', 'a'],
  ] as const) {
    test(`nothing moves when the ads of ${a} ${name} page come at ${width} px`, async ({
      page,
    }) => {
      await watchVitals(page)
      // Whatever else the page asks for comes while what is below its text is in sight, as on a slow machine.
      const release = await holdAnswers(page)
      // As late as an answer may be while somebody reads.
      await page.route(ADS, async (route) => {
        await new Promise((resolve) => setTimeout(resolve, 800))
        await route.fallback()
      })
      await openPage(page, await pathOf(page, name), width)
      await page.evaluate(() => window.scrollBy({ top: -400, behavior: 'instant' }))
      release()
      await page.waitForTimeout(500)
      await page.evaluate(() => window.scrollTo({ top: 0, behavior: 'instant' }))
      await page.waitForTimeout(500)
      const { cls, moved } = await vitals(page)
      expect(cls, moved.join('\n')).toBeLessThan(0.02)
    })
  }
}
