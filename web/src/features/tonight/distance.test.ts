import { expect, it } from 'vitest'
import { distanceInWords, metresBetween } from './distance'

it('measures a distance within a city', () => {
  // From Union Station to the CN Tower, and a degree of latitude.
  expect(metresBetween([43.6453, -79.3807], [43.6426, -79.3871])).toBeCloseTo(596, -1)
  expect(metresBetween([43, -79], [44, -79])).toBeCloseTo(111_195, -1)
})

it('rounds a distance to what matters on foot', () => {
  const words = [0, 74, 640, 974, 990, 2340].map(distanceInWords)
  expect(words.map((text) => text.replace('\u00a0', ' '))).toEqual([
    '50 m',
    '50 m',
    '650 m',
    '950 m',
    '1.0 km',
    '2.3 km',
  ])
})
