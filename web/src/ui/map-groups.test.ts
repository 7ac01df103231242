import { expect, it } from 'vitest'
import { groupsOf } from './map-groups'

const CITY_HALL = { key: 1, lat: 43.6534, lng: -79.3841 }
// At a distance of 200 m and 3 km.
const NEXT_DOOR = { key: 2, lat: 43.6534, lng: -79.3816 }
const BEACH = { key: 3, lat: 43.6677, lng: -79.3 }
const ALL = [CITY_HALL, NEXT_DOOR, BEACH]

const keys = (zoom: number): string[] => groupsOf(ALL, zoom, 40).map(({ key }) => key)

it('groups points that are close on the screen, not on the ground', () => {
  expect(keys(8)).toEqual(['1,2,3'])
  expect(keys(12)).toEqual(['1,2', '3'])
  expect(keys(17)).toEqual(['1', '2', '3'])
})

it('puts a group at the centre of its members', () => {
  const [group] = groupsOf(ALL, 12, 40)
  expect(group?.lat).toBeCloseTo(43.6534)
  expect(group?.lng).toBeCloseTo(-79.38285)
})

it('groups places at one address at every zoom', () => {
  expect(groupsOf([CITY_HALL, { ...CITY_HALL, key: 9 }], 18, 40)).toHaveLength(1)
})
