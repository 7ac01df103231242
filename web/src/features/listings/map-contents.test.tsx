import { expect, it } from 'vitest'
import { linkPoints, type MapPlace } from './map-contents'

const place: MapPlace = {
  id: 7,
  name: 'The Loop',
  share_url: '/cafes/the-loop/',
  coordinates: { lat: 43.6, lng: -79.4 },
  is_closed: false,
  default_neighborhood: null,
}

it('links open places with a position, and events beside them', () => {
  const keys = (one: MapPlace) => linkPoints(one).map(({ key }) => key)
  expect(keys(place)).toEqual([7])
  expect(keys({ ...place, is_closed: true })).toEqual([])
  expect(keys({ ...place, coordinates: null })).toEqual([])
  // An event may have the id of a place on the same map.
  expect(keys({ ...place, isEvent: true })).toEqual([-7])
})
