import { expect, test, type Page } from '@playwright/test'
import { results } from './catalogue'
import { axe, layoutErrors } from './layout'
import { post, register } from './reader'

interface Event {
  id: number
  name: string
  share_url: string
}

const WIDTHS = [360, 768, 1440] as const

async function address(page: Page): Promise<string> {
  const url = await page.getByLabel('Private address').inputValue()
  return new URL(url).pathname
}

test('a calendar follows saved events until the address is replaced or the feed is turned off', async ({
  page,
  playwright,
  baseURL,
}) => {
  await register(page)
  const [event] = await results<Event>(page.request, '/api/v2/events/?limit=1')
  await post(page, '/api/v2/event-bookmarks/', { object_id: event?.id ?? 0 })
  // A program without the reader's cookies.
  const calendar = await playwright.request.newContext({ baseURL: baseURL ?? '' })
  const status = async (path: string) => (await calendar.get(path)).status()

  await page.goto('/accounts/dashboard#/home/')
  await page.getByRole('button', { name: 'Make a private address' }).click()
  await expect(page.getByLabel('Private address')).toBeVisible()
  const first = await address(page)
  const feed = await calendar.get(first)
  expect(feed.headers()['content-type']).toBe('text/calendar; charset=utf-8')
  expect(await feed.text()).toContain(`UID:event-${event?.id ?? 0}@`)
  for (const width of WIDTHS) {
    await page.setViewportSize({ width, height: 900 })
    expect(await layoutErrors(page, width)).toEqual([])
  }
  await axe(page, 'the calendar feed', 'main')

  await page.reload()
  await expect(page.getByLabel('Private address')).toBeVisible()
  expect(await address(page)).toBe(first)
  await page.getByRole('button', { name: 'Make a new address' }).click()
  const question = page.getByRole('dialog', { name: 'Make a new address?' })
  await axe(page, 'the question before a new address', '[role=dialog]')
  await question.getByRole('button', { name: 'Make a new address' }).click()
  await expect(question).toBeHidden()
  const second = await address(page)
  expect(await status(first)).toBe(404)
  expect(await status(second)).toBe(200)

  await page.getByRole('button', { name: 'Switch the feed off' }).click()
  const off = page.getByRole('dialog', { name: 'Switch the feed off?' })
  await off.getByRole('button', { name: 'Switch the feed off' }).click()
  await expect(page.getByRole('button', { name: 'Make a private address' })).toBeVisible()
  expect(await status(second)).toBe(404)
  await calendar.dispose()
})
