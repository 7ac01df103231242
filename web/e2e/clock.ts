import type { Page } from '@playwright/test'

/** Longer than any test, so that the new time is in the future of every page. */
const CLOCK_MARGIN = 10 * 60_000

/**
 * Stops the timers of a page that was opened after `page.clock.install()`. Pending timers fire
 * first; later ones fire only when the test moves the clock.
 */
export async function stopClock(page: Page): Promise<void> {
  const now = await page.evaluate(() => Date.now())
  await page.clock.pauseAt(now + CLOCK_MARGIN)
}

/**
 * Waits for two rendered frames. By then the page has received all earlier scrolls, resizes and
 * intersections. Unlike `requestAnimationFrame`, an observer works under a stopped clock too.
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
