import { expect, test, type Page, type Response } from '@playwright/test'
import { results } from './catalogue'
import { layoutErrors, settled } from './layout'
import { post, register } from './reader'

const HOME = '/accounts/dashboard#/home/'

interface Row {
  id: number
  name: string
  share_url: string
}

/** The names of the saved places in a response to the request for open places. */
async function openPlaces(response: Response, saved: readonly Row[]): Promise<string[]> {
  expect(response.status()).toBe(200)
  const ids = new URL(response.url()).searchParams.get('ids') ?? ''
  const ascending = (one: number, other: number) => one - other
  const wanted = saved.map(({ id }) => id).sort(ascending)
  expect(ids.split(',').map(Number).sort(ascending)).toEqual(wanted)
  const { results } = (await response.json()) as { results: Row[] }
  return results.map(({ name }) => name)
}

const block = (page: Page, name: string) => page.getByRole('region', { name })
const names = (page: Page, name: string) =>
  block(page, name).getByRole('heading', { level: 3 }).allTextContents()

test('the dashboard begins with what is open, coming up and kept lately, and moves nothing', async ({
  page,
}) => {
  await register(page)
  await page.goto(HOME)
  await expect(page.getByText('Nothing is kept here yet')).toBeVisible()
  await expect(page.getByRole('heading', { name: 'Your profile' })).toBeVisible()

  const places = await results<Row>(page.request, '/api/v2/listings/?is_closed=0&limit=30')
  const [event] = await results<Row>(page.request, '/api/v2/events/?limit=1')
  const [article] = await results<Row>(page.request, '/api/v2/articles/?limit=1')
  for (const { id } of places) await post(page, '/api/v2/favourites/', { listing: id })
  await post(page, '/api/v2/event-bookmarks/', { object_id: event?.id ?? 0 })
  await post(page, '/api/v2/article-bookmarks/', { object_id: article?.id ?? 0 })

  await page.addInitScript(() => {
    const shifts: number[] = []
    Object.assign(window, { shifts })
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) shifts.push((entry as { value?: number }).value ?? 0)
    }).observe({ type: 'layout-shift', buffered: true })
  })
  for (const width of [360, 1440]) {
    await page.setViewportSize({ width, height: 900 })
    await page.goto('about:blank')
    // The open places depend on the hour: the page shows those of its answer.
    const answered = page.waitForResponse(/\/api\/v2\/listings\/\?.*open_now=1/)
    await page.goto(HOME)
    const open = await openPlaces(await answered, places)
    await expect(page.getByRole('heading', { name: 'Your profile' })).toBeVisible()
    await settled(page)
    expect(await names(page, 'Open now')).toEqual(open)
    expect((await names(page, 'Recently saved')).slice(0, 2)).toEqual([article?.name, event?.name])
    expect(await names(page, 'In the next two weeks')).toEqual([event?.name])
    const shifts = await page.evaluate(() => (window as unknown as { shifts: number[] }).shifts)
    expect(shifts.reduce((sum, shift) => sum + shift, 0)).toBeLessThan(0.01)
  }
  for (const width of [360, 768, 1440]) {
    await page.setViewportSize({ width, height: 900 })
    expect(await layoutErrors(page, width)).toEqual([])
  }
})

test('the dashboard does not scroll sideways while its counts are on their way', async ({
  page,
}) => {
  await register(page)
  await page.setViewportSize({ width: 360, height: 900 })
  let release = () => {}
  const held = new Promise<void>((resolve) => (release = resolve))
  await page.route('**/api/v2/profiles/me/dashboard/', async (route) => {
    await held
    await route.continue()
  })
  await page.goto(HOME)
  await expect(page.getByRole('group', { name: 'Loading your counts' })).toBeAttached()
  expect(await layoutErrors(page, 360)).toEqual([])
  release()
  await expect(page.getByRole('heading', { name: 'Your profile' })).toBeVisible()
})
