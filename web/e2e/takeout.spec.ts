import { expect, test } from '@playwright/test'
import { results } from './catalogue'
import { axe, layoutErrors } from './layout'
import { register } from './reader'

interface Place {
  name: string
  share_url: string
  address: string | null
  coordinates: { lat: number; lng: number } | null
}

const WIDTHS = [360, 768, 1440] as const

/** A feature of “Saved Places.json”. */
function feature(name: string, lat: number, lng: number, address = '') {
  return {
    type: 'Feature',
    geometry: { type: 'Point', coordinates: [lng, lat] },
    properties: {
      date: '2024-05-06T07:08:09Z',
      google_maps_url: 'http://maps.google.com/?cid=1',
      location: { name, address, country_code: 'CA' },
    },
  }
}

test('a reader brings places from Google Maps along, and saves those that are chosen', async ({
  page,
}) => {
  await register(page)
  const all = await results<Place>(page.request, '/api/v2/listings/?is_closed=0&limit=100')
  const names = all.map(({ name }) => name)
  const single = all.filter(
    ({ name, coordinates }) => coordinates && names.indexOf(name) === names.lastIndexOf(name),
  )
  const [first, second, third] = single
  if (!first?.coordinates || !second?.coordinates || !third) throw new Error('too few places')
  const features = [
    feature(first.name.toUpperCase(), first.coordinates.lat, first.coordinates.lng),
    feature(second.name, second.coordinates.lat, second.coordinates.lng, second.address ?? ''),
    feature(third.name, 0, 0),
    feature('Zzyzx Mirage', first.coordinates.lat, first.coordinates.lng, '1 Nowhere St'),
    feature('The Crown', 51.5, -0.12, '10 High St, London'),
  ]

  await page.goto('/accounts/dashboard#/home/')
  await page.getByRole('link', { name: 'Bring your places from Google Maps' }).click()
  await expect(page.getByRole('heading', { name: 'Your places from Google Maps' })).toBeVisible()
  await page.getByText('How to get the file').click()
  await expect(page.getByText('Choose one file inside it')).toBeVisible()
  await page.getByLabel('Choose a file').setInputFiles({
    name: 'Saved Places.json',
    mimeType: 'application/json',
    buffer: Buffer.from(JSON.stringify({ type: 'FeatureCollection', features })),
  })
  await expect(page.getByRole('heading', { name: 'Saved Places: 5 places' })).toBeFocused()
  const sure = page.getByRole('group', { name: /^Found for sure/ })
  await expect(sure.getByRole('checkbox', { checked: true })).toHaveCount(2)
  await expect(page.getByRole('group', { name: /^Possible matches/ })).toContainText(third.name)
  for (const width of WIDTHS) {
    await page.setViewportSize({ width, height: 900 })
    expect(await layoutErrors(page, width)).toEqual([])
  }
  await axe(page, 'the places that were found', 'main')

  await page.locator('summary', { hasText: 'Not in our guide' }).click()
  await expect(page.getByText('Zzyzx Mirage')).toBeVisible()
  await sure.getByRole('checkbox', { name: second.name }).uncheck()
  await page.getByRole('button', { name: 'Save 1 place', exact: true }).click()
  await expect(page.getByText('1 place saved to your favourites.')).toBeFocused()
  await page.getByRole('link', { name: 'See your favourites' }).click()
  await expect(page.getByRole('heading', { name: 'Favourites', exact: true })).toBeVisible()
  await expect(page.locator('main')).toContainText(first.name)
  await expect(page.locator('main')).not.toContainText(second.name)
})
