import { readFileSync } from 'node:fs'
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

const SCREENS = ['x_small', 'small', 'medium', 'large']

/** The slots of a site's file: their pages and screens. */
function slotsOf(site: string): { pages: string[]; screens: string[] }[] {
  const [, ...slots] = readFileSync(`../deploy/sites/${site}.toml`, 'utf8').split('[[ads.slots]]')
  const listOf = (slot: string, name: string) =>
    JSON.parse(new RegExp(`^${name} = (.*)$`, 'm').exec(slot)?.[1] ?? '[]') as string[]
  return slots.map((slot) => ({ pages: listOf(slot, 'pages'), screens: listOf(slot, 'screens') }))
}

it.each(['guide', 'news'])('every page of the %s with ads has one on every screen', (site) => {
  const slots = slotsOf(site)
  const pages = [...new Set(slots.flatMap((slot) => slot.pages))]
  expect(pages).toContain('photo')
  for (const page of pages) {
    const shown = slots.filter((slot) => slot.pages.includes(page)).flatMap((slot) => slot.screens)
    expect([page, SCREENS.filter((screen) => !shown.includes(screen))]).toEqual([page, []])
  }
})
