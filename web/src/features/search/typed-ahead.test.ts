import { fireEvent } from '@testing-library/react'
import { afterEach, expect, it, vi } from 'vitest'
import { takeTyped, typeAhead } from './typed-ahead'

afterEach(() => {
  takeTyped()
  vi.useRealTimers()
})

/** Presses keys one after the other; tells which of them the page got. */
function press(...keys: (string | KeyboardEventInit)[]): boolean[] {
  return keys.map((key) =>
    fireEvent.keyDown(document.body, typeof key === 'string' ? { key } : key),
  )
}

it('keeps what is typed, as it was corrected, for the box alone', () => {
  typeAhead()
  expect(press('r', 'a', 'n', 'Backspace', 'm', ' ', 'é')).toEqual(Array(7).fill(false))
  expect(takeTyped()).toBe('ram é')
  expect(takeTyped()).toBe('')
  expect(press('x')).toEqual([true])
  expect(takeTyped()).toBe('')
})

it('leaves keys that are no letters, and shortcuts, to the page', () => {
  typeAhead()
  const shortcut = { key: 'r', ctrlKey: true }
  expect(press('Escape', 'Tab', 'ArrowDown', shortcut)).toEqual(Array(4).fill(true))
  expect(takeTyped()).toBe('')
})

it('gives the keys back if no box ever comes', () => {
  vi.useFakeTimers()
  typeAhead()
  press('a')
  vi.advanceTimersByTime(3000)
  expect(press('b')).toEqual([true])
})
