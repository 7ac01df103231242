import { expect, test, type Page } from '@playwright/test'
import { results } from './catalogue'
import { rendered } from './clock'
import { axe, settled } from './layout'
import { register } from './reader'
import { readStory } from './scrolling'

const reminder = (page: Page) => page.getByRole('complementary', { name: 'Reminder' })

async function openPlace(page: Page): Promise<void> {
  const [place] = await results(page.request, '/api/v2/listings/?is_closed=0&reviewed=1&limit=1')
  await page.goto(place?.share_url ?? '')
  await settled(page)
}

const bottomOf = async (page: Page, selector: string): Promise<number> => {
  const box = await page.locator(selector).boundingBox()
  return (box?.y ?? 0) + (box?.height ?? 0)
}

test('a place’s page reminds of the to-do list, above the footer and beside the dock', async ({
  page,
}) => {
  await page.setViewportSize({ width: 360, height: 900 })
  await openPlace(page)
  await rendered(page)
  await expect(reminder(page), 'beside the opening picture').toHaveCount(0)
  for (const width of [360, 768, 1440]) {
    await page.setViewportSize({ width, height: 900 })
    await readStory(page)
    await expect(reminder(page)).toBeInViewport()
    const dock = page.locator('main > [class*=dock]')
    if (width === 360) {
      const top = (await dock.boundingBox())?.y ?? 0
      expect(await bottomOf(page, '[aria-label=Reminder]')).toBeLessThanOrEqual(top)
    }
    await page.evaluate(() => window.scrollTo(0, document.body.scrollHeight))
    const footer = (await page.locator('footer').boundingBox())?.y ?? 0
    expect(await bottomOf(page, '[aria-label=Reminder]')).toBeLessThanOrEqual(footer)
  }
  await axe(page, 'the reminder', '[aria-label=Reminder]')
  const size = await reminder(page).getByRole('button', { name: 'Close' }).boundingBox()
  expect(Math.min(size?.width ?? 0, size?.height ?? 0)).toBeGreaterThanOrEqual(44)
  await reminder(page).getByRole('button', { name: 'Close' }).press('Enter')
  await expect(reminder(page)).toBeHidden()
  await expect(page.getByRole('main')).toBeFocused()
  await page.reload()
  await settled(page)
  await readStory(page)
  await expect(reminder(page)).toBeHidden()
})

test('the reminder is below dialogs, and disappears once the place is a to-do', async ({
  page,
}) => {
  await register(page)
  await page.setViewportSize({ width: 360, height: 900 })
  await openPlace(page)
  await readStory(page)
  await expect(reminder(page)).toBeVisible()
  await page.getByRole('banner').getByRole('button', { name: 'Menu', exact: true }).click()
  const dialog = page.getByRole('dialog')
  await expect(dialog).toBeVisible()
  // An open dialog hides the rest of the page from roles.
  const isBelow = await page.locator('[aria-label=Reminder]').evaluate((card) => {
    const { x, y, width, height } = card.getBoundingClientRect()
    const top = document.elementFromPoint(x + width / 2, y + height / 2)
    return !card.contains(top)
  })
  expect(isBelow).toBe(true)
  await page.keyboard.press('Escape')
  await expect(dialog).toBeHidden()
  await reminder(page).getByRole('button', { name: 'Want to go' }).click()
  await expect(reminder(page)).toBeHidden()
  const flag = page.getByRole('button', { name: /^To-do /, pressed: true })
  await expect(flag.first()).toBeVisible()
})
