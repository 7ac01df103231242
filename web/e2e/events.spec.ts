import { expect, test, type Page } from '@playwright/test'
import { results } from './catalogue'

interface Event {
  id: number
  name: string
  share_url: string
  starts_at: string
  timezone: string
  venue: string
  recurrence: string | null
  is_free: boolean
}

const names = (page: Page) => page.locator('main article h3')

test('events are sorted by their next start, and Load More shows the rest', async ({
  page,
  request,
}) => {
  const all = await results<Event>(request, '/api/v2/events/?limit=100')
  expect(all.length).toBeGreaterThan(12)
  await page.goto('/events/')
  await expect(names(page)).toHaveText(all.slice(0, 12).map((event) => event.name))
  await page.getByRole('button', { name: 'Load More' }).click()
  await expect(names(page)).toHaveText(all.slice(0, 24).map((event) => event.name))
})

test('filters by day and price are sent to the server, and the address keeps them', async ({
  page,
  request,
}) => {
  await page.goto('/events/')
  await expect(names(page).first()).toBeVisible()
  await page.getByLabel('Price').selectOption({ label: 'Free' })
  await expect(page).toHaveURL(/\/events\/\?free=1$/)
  const free = await results<Event>(request, '/api/v2/events/?free=1')
  expect(free.every((event) => event.is_free)).toBe(true)
  await expect(names(page)).toHaveText(free.map((event) => event.name))

  const filtered = page.waitForRequest((sent) => /events\/\?.*to=\d{4}-\d\d-\d\d/.test(sent.url()))
  await page.getByLabel('When').selectOption({ label: 'The next 7 days' })
  await filtered
  await page.reload()
  await expect(page.getByLabel('When')).toHaveValue('week')

  const search = page.getByRole('searchbox', { name: 'Search events by name' })
  await search.fill('zzzzqqqq')
  await search.press('Enter')
  await expect(page.getByRole('heading', { name: 'Nothing matches these filters' })).toBeVisible()
  await page.getByRole('button', { name: 'Clear the filters' }).click()
  await expect(page).toHaveURL(/\/events\/$/)
  await expect(names(page)).toHaveCount(12)
})
