import { expect, it } from 'vitest'
import type { TakeoutEntry } from '#/api/types'
import { problemOf } from './mutations'
import { groupsOf, kindFor, restOf, summaryOf } from './review'

function entry(
  name: string,
  certainty: TakeoutEntry['certainty'],
  listing: number | null = null,
): TakeoutEntry {
  const found = listing === null ? null : { id: listing, name, share_url: `/places/${listing}/` }
  return {
    name,
    address: null,
    note: null,
    certainty,
    listing: found && { ...found, address: null, is_closed: false, default_neighborhood: null },
  }
}

it('groups entries, and shows a place of several entries once, with the surest', () => {
  const groups = groupsOf([
    entry('Pai, perhaps', 'perhaps', 1),
    entry('Pai', 'sure', 1),
    entry('Pai again', 'sure', 1),
    entry('Lena', 'perhaps', 2),
    entry('Nowhere', 'none'),
    entry('London', 'elsewhere'),
    entry('Oslo', 'elsewhere'),
  ])
  const names = (matches: readonly { entry: TakeoutEntry }[]) =>
    matches.map((one) => one.entry.name)
  expect(names(groups.sure)).toEqual(['Pai'])
  expect(names(groups.perhaps)).toEqual(['Lena'])
  expect(groups.none).toHaveLength(1)
  expect(summaryOf(groups)).toBe(
    '1 found for sure, 1 perhaps; 1 is not in our guide, 2 are in other cities.',
  )
})

it('summarises the matches in a sentence', () => {
  const many = (count: number, certainty: TakeoutEntry['certainty'], listing?: number) =>
    Array.from({ length: count }, (_, number) =>
      entry(`${number}`, certainty, listing === undefined ? null : listing + number),
    )
  const found = [...many(12, 'sure', 1), ...many(3, 'perhaps', 100), ...many(1_040, 'none')]
  expect(summaryOf(groupsOf(found))).toBe(
    '12 found for sure, 3 perhaps; 1,040 are not in our guide.',
  )
  expect(summaryOf(groupsOf(many(1, 'elsewhere')))).toBe('1 is in other cities.')
  expect(summaryOf(groupsOf([]))).toBe('There are no places in it.')
})

it('names the other contents of a file', () => {
  const review = { results: [], list: 'List', nameless: 0, left_out: 0 }
  expect(restOf(review)).toBeNull()
  expect(restOf({ ...review, nameless: 1 })).toBe('1 place without a name could not be looked up.')
  expect(restOf({ ...review, left_out: 315 })).toBe(
    '315 places at its end were left out: we look up 2,000 at a time.',
  )
})

it('makes to-dos of places to go to', () => {
  expect(kindFor('Want to go')).toBe('todo')
  expect(kindFor('want to go(1)')).toBe('todo')
  expect(kindFor('Favourite places')).toBe('favourite')
  expect(kindFor('')).toBe('favourite')
})

it('sends no unreadable file', () => {
  expect(problemOf({ name: 'takeout-2024.zip', size: 10 })).toMatch('whole archive')
  expect(problemOf({ name: 'a.csv', size: 0 })).toMatch('empty')
  expect(problemOf({ name: 'a.csv', size: 5_000_000 })).toMatch('larger than 4 MB')
  expect(problemOf({ name: 'Want to go.csv', size: 10 })).toBeNull()
})
