import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, type Page } from '@playwright/test'
import { results } from './catalogue'
import { axe } from './layout'
import { post, register } from './reader'
import { pageLoaded } from './requests'
import { test } from './sites'

interface Place {
  name: string
  share_url: string
  is_closed: boolean
  coordinates: unknown
}

async function openPlace(page: Page, site = ''): Promise<Place> {
  const places = await results<Place>(page.request, `${site}/api/v2/listings/?limit=100`)
  const place = places.find((one) => !one.is_closed && one.coordinates !== null)
  if (!place) throw new Error('No open place has a position')
  await page.goto(site + place.share_url)
  return place
}

const map = (page: Page, place: Place) =>
  page.getByRole('region', { name: `Where ${place.name} is` })
const show = (page: Page) => page.getByRole('button', { name: 'Show the map' })

test('the map loads nothing before the click, nothing from another site after it, and links the places nearby', async ({
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
  const isOfMap = (url: string): boolean =>
    /LoadedMap|maplibre|near=|neighbourhoods\/.|basemap/.test(url)
  const place = await openPlace(page)
  await expect(show(page)).toBeVisible()
  await pageLoaded(page)
  expect(asked.filter((url) => isOfMap(new URL(url).pathname + new URL(url).search))).toEqual([])
  await show(page).scrollIntoViewIfNeeded()
  await axe(page, 'before the click', 'main section')

  const height = (await map(page, place).boundingBox())?.height
  await show(page).click()
  await expect(map(page, place).locator('canvas')).toBeVisible()
  await expect(map(page, place).getByText(place.name, { exact: true })).toBeVisible()
  await expect.poll(() => asked.map((url) => new URL(url).pathname)).toContain('/api/v2/basemap/')
  // The placeholder is smaller than the map.
  expect((await map(page, place).boundingBox())?.height).toBeGreaterThan((height ?? 0) + 100)
  expect(
    asked.filter((url) => !url.startsWith(baseURL ?? '') && !/^(data|blob):/.test(url)),
  ).toEqual([])
  // The worker is a file of the site: the policy allows nothing else. It starts a moment after the canvas.
  await expect
    .poll(() => page.workers().map((worker) => new URL(worker.url()).pathname))
    .toContainEqual(expect.stringMatching(/^\/assets\/maplibre-gl-worker-/))
  expect(complaints).toEqual([])
  await axe(page, 'the map', 'main section')

  const near = map(page, place).locator('.maplibregl-marker a').first()
  await expect(near).toBeAttached()
  const href = await near.getAttribute('href')
  await near.focus()
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(new RegExp(`${href ?? 'no link'}$`))
})

test('saved places are on one map, in groups that open, and in a list', async ({ page }) => {
  await register(page)
  const places = await results<Place & { id: number }>(
    page.request,
    '/api/v2/listings/?is_closed=0&limit=20',
  )
  for (const { id } of places) await post(page, '/api/v2/favourites/', { listing: id })
  const asked: string[] = []
  page.on('request', (request) => asked.push(request.url()))
  await page.goto('/accounts/dashboard#/favourites/')
  const view = page.getByRole('group', { name: 'View' })
  await expect(view.getByRole('button', { name: 'List' })).toHaveAttribute('aria-pressed', 'true')
  await pageLoaded(page)
  expect(asked.filter((url) => /maplibre|LoadedPlacesMap/.test(url))).toEqual([])

  await view.getByRole('button', { name: 'Map' }).press('Enter')
  const saved = page.getByRole('region', { name: 'Where your favourites are' })
  await expect(saved.locator('canvas')).toBeVisible()
  for (const { name } of [places[0], places.at(-1)].flatMap((place) => place ?? [])) {
    await expect(page.locator('main').getByRole('link', { name }).last()).toBeVisible()
  }
  // Every place is in a group or has its own marker.
  const marks = saved.locator('.maplibregl-marker')
  const counted = async (): Promise<number> => {
    const groups = await marks.getByRole('button').allTextContents()
    const alone = await marks.getByRole('link').count()
    return groups.reduce((sum, text) => sum + Number(text), alone)
  }
  await expect.poll(counted).toBe(places.filter((place) => place.coordinates).length)
  await axe(page, 'the map of favourites', 'main section')

  const before = await marks.count()
  await marks.getByRole('button').first().press('Enter')
  await expect.poll(() => marks.count()).not.toBe(before)
  expect(await counted()).toBe(places.filter((place) => place.coordinates).length)
})

/** A third party's map server: it answers every path with one document, to any origin. */
async function mapServer(document: (origin: string) => unknown): Promise<[Server, string]> {
  const server = createServer((_, answer) => {
    answer.setHeader('Access-Control-Allow-Origin', '*')
    answer.setHeader('Content-Type', 'application/json')
    answer.end(JSON.stringify(document(origin)))
  }).listen(0, '127.0.0.1')
  await new Promise((listening) => server.once('listening', listening))
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return [server, origin]
}

test('streets are loaded from the servers that the site names, and from no other', async ({
  page,
  serve,
}) => {
  const street = { type: 'LineString', coordinates: [[-79.5, 43.6], [-79.2, 43.7]] } // prettier-ignore
  const [tiles, tilesAt] = await mapServer(() => street)
  const [styles, stylesAt] = await mapServer(() => ({
    version: 8,
    sources: {
      streets: {
        type: 'geojson',
        data: `${tilesAt}/streets.json`,
        attribution: 'Streets of somebody',
      },
    },
    layers: [{ id: 'streets', type: 'line', source: 'streets' }],
  }))
  const asked = new Set<string>()
  const complaints: string[] = []
  page.on('request', (request) => asked.add(new URL(request.url()).origin))
  page.on('console', (message) => {
    if (message.type() === 'error') complaints.push(message.text())
  })
  const settings = `[map]\nstyle = "${stylesAt}/style.json"\norigins = ["${tilesAt}"]\n`
  const site = await serve('guide', { also: settings })
  const place = await openPlace(page, site)
  await show(page).click()
  await expect(map(page, place).getByText('Streets of somebody')).toBeVisible()
  // The attribution may appear before the streets are requested.
  const others = () => [...asked].filter((origin) => origin !== site && origin.startsWith('http'))
  await expect.poll(() => others().sort()).toEqual([tilesAt, stylesAt].sort())
  expect(complaints).toEqual([])
  for (const server of [tiles, styles]) server.close()
})
