import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { Thanks, THANKS_MS } from './thanks'

const save = vi.fn<(listing: number, stars: number) => void>()

beforeEach(() => {
  save.mockClear()
  vi.useFakeTimers()
})
afterEach(() => vi.useRealTimers())

it('saves after 1600 ms of thanks, and not before', () => {
  const thanks = new Thanks(save)
  thanks.confirm(9, 4)
  expect(thanks.stars(9)).toBe(4)
  vi.advanceTimersByTime(1599)
  expect(save).not.toHaveBeenCalled()
  vi.advanceTimersByTime(1)
  expect(save).toHaveBeenCalledExactlyOnceWith(9, 4)
  expect(thanks.stars(9)).toBeNull()
})

it('never shows the old rating between thanks and save', () => {
  const thanks = new Thanks((listing) => expect(thanks.stars(listing)).toBe(4))
  thanks.confirm(9, 4)
  vi.advanceTimersByTime(THANKS_MS)
  expect.assertions(1)
})

it('saves the last of two ratings of a place, once', () => {
  const thanks = new Thanks(save)
  thanks.confirm(9, 4)
  vi.advanceTimersByTime(1000)
  thanks.confirm(9, 2)
  vi.advanceTimersByTime(THANKS_MS)
  expect(save).toHaveBeenCalledExactlyOnceWith(9, 2)
})

it('saves all immediately when the reader leaves the page, and nothing afterwards', () => {
  const thanks = new Thanks(save)
  thanks.confirm(9, 4)
  thanks.confirm(8, 1)
  thanks.saveAll()
  expect(save.mock.calls).toEqual([
    [9, 4],
    [8, 1],
  ])
  vi.advanceTimersByTime(THANKS_MS)
  expect(save).toHaveBeenCalledTimes(2)
})

it.each([
  ['a removal', (thanks: Thanks) => thanks.drop(9)],
  ['a sign-out', (thanks: Thanks) => thanks.clear()],
])('saves nothing after %s', (_, forget) => {
  const thanks = new Thanks(save)
  thanks.confirm(9, 4)
  forget(thanks)
  vi.advanceTimersByTime(THANKS_MS)
  expect(save).not.toHaveBeenCalled()
  expect(thanks.stars(9)).toBeNull()
})
