import { readFile } from 'node:fs/promises'
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

test("an event shows its date and place in its own zone, whatever the reader's zone is", async ({
  browser,
  request,
}) => {
  const [event] = await results<Event>(request, '/api/v2/events/?limit=1')
  if (!event) throw new Error('No event')
  const context = await browser.newContext({ timezoneId: 'Asia/Tokyo', locale: 'en-GB' })
  const page = await context.newPage()
  await page.goto(event.share_url)
  await expect(page.getByRole('heading', { level: 1, name: event.name })).toBeVisible()
  const about = page.getByRole('complementary', { name: 'About this event' })
  // The site's language, not the browser's.
  const day = new Intl.DateTimeFormat('en-CA', {
    weekday: 'long',
    month: 'long',
    day: 'numeric',
    timeZone: event.timezone,
  })
  const time = new Intl.DateTimeFormat('en-CA', { timeStyle: 'short', timeZone: event.timezone })
  const starts = new Date(event.starts_at)
  await expect(about.locator('time').first()).toContainText(day.format(starts))
  await expect(about.locator('time').first()).toContainText(
    time.format(starts).replace(/\s.*/u, ''),
  )
  // A clock in Tokyo shows another time: the zone is named.
  await expect(about.locator('time').first()).toContainText(/GMT[-−]\d|E[SD]T/)
  await expect(about).toContainText(event.venue)
  await context.close()
})

test('a recurring event lists its next dates, each once', async ({ page, request }) => {
  const all = await results<Event>(request, '/api/v2/events/?limit=100')
  const event = all.find((one) => one.recurrence?.startsWith('FREQ=WEEKLY'))
  if (!event) throw new Error('No weekly event')
  await page.goto(event.share_url)
  const about = page.getByRole('complementary', { name: 'About this event' })
  await expect(about.getByText('Weekly')).toBeVisible()
  const dates = await about
    .locator('time')
    .evaluateAll((found) => found.map((time) => time.getAttribute('datetime') ?? ''))
  expect(dates).toHaveLength(6)
  expect(dates).toEqual([...new Set(dates)].sort())
})

test('Add to calendar downloads a calendar file of this event', async ({ page, request }) => {
  const [event] = await results<Event>(request, '/api/v2/events/?limit=1')
  if (!event) throw new Error('No event')
  await page.goto(event.share_url)
  const started = page.waitForEvent('download')
  await page.getByRole('link', { name: 'Add to calendar' }).click()
  const download = await started
  expect(download.suggestedFilename()).toMatch(/\.ics$/)
  const text = await readFile(await download.path(), 'utf8')
  expect(text).toContain('BEGIN:VEVENT')
  // Long lines are folded (RFC 5545, 3.1).
  expect(text.replaceAll('\r\n ', '')).toContain(`SUMMARY:${event.name}`)
})
