import { expect, test, type Page } from '@playwright/test'
import { results } from './catalogue'
import { rendered, stopClock } from './clock'
import { axe, openHomeVideos } from './layout'

/** The time between two animation frames under a stopped clock, in milliseconds. */
const FRAME = 16

const carousel = (page: Page) => page.locator('[aria-roledescription=carousel]')
const next = (page: Page) => carousel(page).getByRole('button', { name: 'Next' })
const prev = (page: Page) => carousel(page).getByRole('button', { name: 'Prev' })

/** The distance of a slide from the visible slide's resting position, in px. */
const offset = (page: Page, index: number): Promise<number> =>
  carousel(page).evaluate((node, at) => {
    const slide = node.querySelectorAll('li')[at]?.getBoundingClientRect()
    const frame = node.querySelector('ul')?.parentElement?.getBoundingClientRect()
    return Math.abs((slide?.left ?? 0) - (frame?.left ?? 0) - 4)
  }, index)

test('the carousel shows one video at a time, with its number, and is a row from 941 px on', async ({
  page,
  request,
}) => {
  await page.setViewportSize({ width: 360, height: 800 })
  const limit = await openHomeVideos(page)
  const videos = await results(request, `/api/v2/videos/?limit=${limit}`)
  const total = videos.length
  await expect(carousel(page)).toContainText(`1 of ${total}`)
  await expect(prev(page)).toHaveAttribute('aria-disabled', 'true')
  for (const [index, video] of videos.entries()) {
    await expect(carousel(page)).toContainText(`${index + 1} of ${total}`)
    await expect(carousel(page).locator('li:not([inert]) a')).toHaveText([video.name])
    if (index < total - 1) await next(page).click()
  }
  // At the end the button keeps the focus and does nothing.
  await expect(next(page)).toHaveAttribute('aria-disabled', 'true')
  await expect(next(page)).toBeFocused()
  await next(page).press('Enter')
  await expect(carousel(page)).toContainText(`${total} of ${total}`)
  await prev(page).press('Enter')
  await expect(carousel(page)).toContainText(`${total - 1} of ${total}`)

  await axe(page, 'the carousel', '[aria-roledescription=carousel]')
  for (const button of [prev(page), next(page)]) {
    expect((await button.boundingBox())?.height ?? 0).toBeGreaterThanOrEqual(44)
  }
  await page.setViewportSize({ width: 940, height: 800 })
  await expect(carousel(page)).toBeVisible()
  await page.setViewportSize({ width: 941, height: 800 })
  await expect(carousel(page)).toHaveCount(0)
})

test('a slide takes about 500 ms, and no time with reduced motion', async ({ page }) => {
  await page.emulateMedia({ reducedMotion: 'no-preference' })
  await page.clock.install()
  await page.setViewportSize({ width: 640, height: 800 })
  await openHomeVideos(page)
  await expect(carousel(page)).toBeVisible()
  await carousel(page).scrollIntoViewIfNeeded()
  await stopClock(page)
  await next(page).click()
  let before = Infinity
  for (const milliseconds of [50, 50, 100]) {
    await page.clock.runFor(milliseconds)
    const now = await offset(page, 1)
    expect(now).toBeGreaterThan(5)
    expect(now).toBeLessThan(before)
    before = now
  }
  await page.clock.runFor(300)
  expect(await offset(page, 1)).toBeLessThan(5)

  await page.emulateMedia({ reducedMotion: 'reduce' })
  await rendered(page)
  await prev(page).click()
  await page.clock.runFor(2 * FRAME)
  expect(await offset(page, 0)).toBeLessThan(5)
})
