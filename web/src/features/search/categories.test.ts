import { expect, it } from 'vitest'
import type { Site } from '#/api/types'
import { categoriesOf, searchAddress } from './categories'

const SITE = {
  city_slug: 'toronto',
  sections: { best_of: true, articles: true, listings: true, events: true, videos: true },
} as unknown as Site

it('offers the spec’s categories in its order', () => {
  expect(categoriesOf(SITE).map(({ label }) => label)).toEqual([
    'All',
    'Best of',
    'Articles',
    'Places',
    'Events',
    'Videos',
  ])
})

it('offers nothing of a section that is off', () => {
  const site = { ...SITE, sections: { listings: true, videos: false } } as unknown as Site
  expect(categoriesOf(site).map(({ label }) => label)).toEqual(['All', 'Places'])
})

it.each([
  ['all', '/search?q='],
  ['best_of', '/toronto/?keywords='],
  ['articles', '/archives/?keywords='],
  ['places', '/places/?keywords='],
  ['events', '/events/?keywords='],
  ['videos', '/videos/?keywords='],
] as const)('leads from %s to %s, and every character survives', (category, start) => {
  const address = searchAddress(category, 'a & b + c # d', SITE)
  expect(address).toBe(`${start}a+%26+b+%2B+c+%23+d`)
})
