import { expect, test, type Page } from '@playwright/test'
import { results } from './catalogue'
import { axe } from './looks'

interface Place {
  name: string
  share_url: string
  is_closed: boolean
  coordinates: unknown
}

// Maps need WebGL, which a machine without a graphics card draws in software.
test.use({
  launchOptions: {
    executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
    args: ['--no-sandbox', '--use-angle=swiftshader', '--enable-unsafe-swiftshader'],
  },
})

async function openPlace(page: Page): Promise<Place> {
  const places = await results<Place>(page.request, '/api/v2/listings/?limit=100')
  const place = places.find((one) => !one.is_closed && one.coordinates !== null)
  if (!place) throw new Error('No open place has a position')
  await page.goto(place.share_url)
  return place
}

const map = (page: Page, place: Place) =>
  page.getByRole('region', { name: `Where ${place.name} is` })
const show = (page: Page) => page.getByRole('button', { name: 'Show the map' })

test('nothing of the map is asked for before the click, and no other site after it', async ({
  page,
  baseURL,
}) => {
  const asked: string[] = []
  const complaints: string[] = []
  page.on('request', (request) => asked.push(request.url()))
  page.on('console', (message) => {
    if (message.type() === 'error') complaints.push(message.text())
  })
  page.on('pageerror', (error) => complaints.push(error.message))
  const isOfMap = (url: string): boolean => /LoadedMap|maplibre|near=|neighbourhoods\/./.test(url)
  const place = await openPlace(page)
  await expect(show(page)).toBeVisible()
  await page.waitForLoadState('networkidle')
  expect(asked.filter((url) => isOfMap(new URL(url).pathname + new URL(url).search))).toEqual([])

  const height = (await map(page, place).boundingBox())?.height
  await show(page).click()
  await expect(map(page, place).locator('canvas')).toBeVisible()
  await expect(map(page, place).getByText(place.name, { exact: true })).toBeVisible()
  // The page keeps its shape.
  expect((await map(page, place).boundingBox())?.height).toBeCloseTo(height ?? 0, 0)
  expect(
    asked.filter((url) => !url.startsWith(baseURL ?? '') && !/^(data|blob):/.test(url)),
  ).toEqual([])
  // The worker is a file of our own: the policy lets nothing else in.
  expect(page.workers().map((worker) => new URL(worker.url()).pathname)).toContainEqual(
    expect.stringMatching(/^\/assets\/maplibre-gl-worker-/),
  )
  expect(complaints).toEqual([])
})

test('what is near has links that the keyboard reaches', async ({ page }) => {
  const place = await openPlace(page)
  await show(page).click()
  const links = map(page, place).locator('.maplibregl-marker a')
  await expect(links.first()).toBeAttached()
  const inSight = links.first()
  const href = await inSight.getAttribute('href')
  await inSight.focus()
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(new RegExp(`${href ?? 'no link'}$`))
})

for (const colorScheme of ['light', 'dark'] as const) {
  test(`the map is accessible, ${colorScheme}`, async ({ page }) => {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
    const place = await openPlace(page)
    await show(page).scrollIntoViewIfNeeded()
    await axe(page, 'before the click', 'main section')
    await show(page).click()
    await expect(map(page, place).locator('canvas')).toBeVisible()
    await axe(page, 'the map', 'main section')
  })
}

test('a closed place has no map', async ({ page }) => {
  const places = await results<Place>(page.request, '/api/v2/listings/?is_closed=1')
  await page.goto(places[0]?.share_url ?? '')
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(places[0]?.name ?? '')
  await expect(show(page)).toHaveCount(0)
})
