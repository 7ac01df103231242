import type { Page } from '@playwright/test'

/** Longer than a test may take, so that the new time is in the future of any page. */
const AHEAD = 10 * 60_000

/**
 * Stops the timers of a page that was opened after `page.clock.install()`. Pending timers fire first; later ones fire only
 * when the test moves the clock.
 */
export async function stopClock(page: Page): Promise<void> {
  const now = await page.evaluate(() => Date.now())
  await page.clock.pauseAt(now + AHEAD)
}

/**
 * Waits for two rendered frames, after which the page has received all scrolls, resizes and intersections that came before.
 * Unlike `requestAnimationFrame`, an observer is called under a stopped clock too.
 */
export async function rendered(page: Page): Promise<void> {
  await page.evaluate(async () => {
    for (let frame = 0; frame < 2; frame += 1) {
      await new Promise<void>((done) => {
        const observer = new IntersectionObserver(() => {
          observer.disconnect()
          done()
        })
        observer.observe(document.documentElement)
      })
    }
  })
}
