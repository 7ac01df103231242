import { expect, it } from 'vitest'
import { DAY } from '#/lib/zone'
import { choiceOf, parseAnswer, type StoredAnswer } from './choice'

const AT = Date.parse('2026-11-26T12:00:00Z')
const all: StoredAnswer = { choice: 'all', at: AT, version: 'a', unrecordedOf: null }
const needed: StoredAnswer = { choice: 'needed', at: AT, version: '', unrecordedOf: null }

it('asks if nothing was answered', () => {
  expect(choiceOf(null, 'a', AT)).toBe('unasked')
})

it.each([
  [all, 'all'],
  [needed, 'needed'],
] as const)('keeps an answer for a year, and then asks again: %j', (answer, choice) => {
  expect(choiceOf(answer, 'a', AT)).toBe(choice)
  expect(choiceOf(answer, 'a', AT + 365 * DAY - 1)).toBe(choice)
  expect(choiceOf(answer, 'a', AT + 365 * DAY)).toBe('unasked')
})

it('asks again if the device’s clock was far ahead', () => {
  expect(choiceOf(all, 'a', AT - DAY)).toBe('all')
  expect(choiceOf(all, 'a', AT - DAY - 1)).toBe('unasked')
})

it('takes consent to other words for none, and a refusal of any words for one', () => {
  expect(choiceOf(all, 'b', AT)).toBe('unasked')
  expect(choiceOf(all, undefined, AT)).toBe('unasked')
  expect(choiceOf(needed, 'b', AT)).toBe('needed')
})

it('reads what it has stored', () => {
  for (const answer of [all, needed, { ...all, unrecordedOf: 7 }]) {
    expect(parseAnswer(JSON.parse(JSON.stringify(answer)))).toEqual(answer)
  }
})

it.each([
  undefined,
  null,
  'all',
  1,
  [],
  {},
  { ...all, choice: 'unasked' },
  { ...all, choice: 'ALL' },
  { ...all, at: '2026' },
  { ...all, at: Number.NaN },
  { ...all, at: null },
  { ...all, version: 1 },
])('takes garbage for no answer: %j', (value) => {
  expect(parseAnswer(value)).toBeNull()
})

it('drops an invalid reader, and keeps the answer', () => {
  expect(parseAnswer({ ...needed, unrecordedOf: '7' })).toEqual(needed)
})
