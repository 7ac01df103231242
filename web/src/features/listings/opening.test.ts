import { expect, it } from 'vitest'
import type { Listing } from '#/api/types'
import { placeOf } from '../../../test/places'
import { leadOf, listsOf, subTypesOf } from './opening'

function place(id: number, rankings: Record<string, number>, subType = 'wine'): Listing {
  return placeOf(id, {
    sub_type: { name: subType, share_url: `/bars/?sub_type=${subType}` },
    appears_in_best_of_lists: Object.entries(rankings).map(([slug, rank]) => ({
      name: `The best ${slug}`,
      share_url: `/toronto/${slug}/`,
      rank,
    })),
    image_url: '/media/a/whole',
    line: id > 1 ? 'A line.' : null,
  })
}

const PLACES = [
  place(1, { bars: 3 }),
  place(2, { patios: 2, bars: 4 }, 'dive'),
  place(3, { bars: 1, 'date-night': 9 }),
]

it('leads with the first open place that has a picture and a line, unless the list is short', () => {
  expect(leadOf({ results: PLACES, count: 5 })?.id).toBe(2)
  expect(leadOf({ results: PLACES, count: 5 }, [placeOf(2)])?.id).toBe(3)
  expect(leadOf({ results: PLACES, count: 4 })).toBeUndefined()
})

it('starts with the lists that rank most of the places, each with its best place', () => {
  expect(listsOf(PLACES)).toMatchObject([
    { name: 'The best bars', rank: 1, place: 'Place 3' },
    { name: 'The best patios', rank: 2, place: 'Place 2' },
    { name: 'The best date-night', rank: 9, place: 'Place 3' },
  ])
})

it('links each sub-type once', () => {
  expect(subTypesOf(PLACES).map(({ name }) => name)).toEqual(['wine', 'dive'])
})
