import { expect, it } from 'vitest'
import type { Site } from '#/api/types'
import { categoriesOf, categoryOf, searchAddress } from './categories'

const SITE = {
  sections: { best_of: true, articles: true, listings: true, events: true, videos: true },
} as unknown as Site

it('offers the specified categories in order', () => {
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
  expect(categoryOf(site, 'videos')).toBe('all')
  expect(categoryOf(site, 'places')).toBe('places')
  expect(categoryOf(site, undefined)).toBe('all')
})

it.each([
  ['all', '/search?q='],
  ['best-of', '/search?category=best-of&q='],
  ['places', '/search?category=places&q='],
] as const)('links from %s to %s, and every character survives', (category, start) => {
  expect(searchAddress(category, 'a & b + c # d')).toBe(`${start}a+%26+b+%2B+c+%23+d`)
})
