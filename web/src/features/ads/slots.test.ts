import { expect, it } from 'vitest'
import type { AdSlot } from '#/api/types'
import { heightOn, sizesOn } from './slots'

const slot = (screens: AdSlot['screens'], sizes: string[]): AdSlot => ({
  position: 'lead',
  pages: ['home'],
  at: 'lead',
  box: 'leaderboard',
  screens,
  sizes,
})

it('has the sizes that fit the narrowest screen of each kind, and the height of the tallest', () => {
  const leaderboard = slot(['medium', 'large'], ['728x90', '970x90', '970x250', '1x1'])
  const shown = (screen: AdSlot['screens'][number]) =>
    sizesOn(leaderboard, screen).map(({ width, height }) => `${width}x${height}`)
  expect(shown('medium')).toEqual(['728x90', '1x1'])
  expect(shown('large')).toEqual(['728x90', '970x90', '970x250', '1x1'])
  expect(shown('small')).toEqual([])
  expect(heightOn(leaderboard, 'medium')).toBe(90)
  expect(heightOn(leaderboard, 'large')).toBe(250)
  expect(heightOn(leaderboard, 'x_small')).toBeUndefined()
  expect(heightOn(slot(['x_small'], ['320x100', '320x50']), 'x_small')).toBe(100)
})
