import { expect, type Page } from '@playwright/test'
import { rendered } from './clock'

/** Whether the mouse wheel scrolls the page, with the pointer in the lower right corner, outside all panels. */
export async function canScroll(page: Page): Promise<boolean> {
  const { width = 0, height = 0 } = page.viewportSize() ?? {}
  await page.mouse.move(width - 5, height - 10)
  const scrollTop = () => page.evaluate(() => window.scrollY)
  const before = await scrollTop()
  const wheel = await page.evaluateHandle(() => {
    const seen = { isTurned: false }
    window.addEventListener('wheel', () => (seen.isTurned = true), { once: true })
    return seen
  })
  await page.mouse.wheel(0, 150)
  await expect.poll(() => wheel.evaluate(({ isTurned }) => isTurned)).toBe(true)
  // The browser scrolls in the frames after the event.
  for (let wait = 0; wait < 3; wait += 1) {
    await rendered(page)
    if ((await scrollTop()) > before) return true
  }
  return false
}

/** Scrolls through the page, a screen at a time. */
export async function scrollDown(page: Page): Promise<void> {
  await page.evaluate(() => window.scrollTo({ top: 0, behavior: 'instant' }))
  await rendered(page)
  for (let before = -1, now = 0; now !== before;) {
    before = now
    now = await page.evaluate(() => {
      window.scrollBy({ top: window.innerHeight * 0.8, behavior: 'instant' })
      return Math.round(window.scrollY)
    })
    await rendered(page)
  }
}

/** Scrolls a place's page until the end of its story is at the top of the window. */
export async function readStory(page: Page): Promise<void> {
  await page
    .locator('[class*=Story_end]')
    .evaluate((end) => end.scrollIntoView({ behavior: 'instant', block: 'start' }))
  await rendered(page)
}
