import { fireEvent } from '@testing-library/react'
import { afterEach, expect, it, vi } from 'vitest'
import { takeCapturedText, captureTyping } from './type-ahead'

afterEach(() => {
  takeCapturedText()
  vi.useRealTimers()
})

/** Presses keys one after the other; returns which of them reach the page. */
function press(...keys: (string | KeyboardEventInit)[]): boolean[] {
  return keys.map((key) =>
    fireEvent.keyDown(document.body, typeof key === 'string' ? { key } : key),
  )
}

it('stores typed text, with its corrections, only for the search box', () => {
  captureTyping()
  expect(press('r', 'a', 'n', 'Backspace', 'm', ' ', 'é')).toEqual(Array(7).fill(false))
  expect(takeCapturedText()).toBe('ram é')
  expect(takeCapturedText()).toBe('')
  expect(press('x')).toEqual([true])
  expect(takeCapturedText()).toBe('')
})

it('leaves other keys and shortcuts to the page', () => {
  captureTyping()
  const shortcut = { key: 'r', ctrlKey: true }
  expect(press('Escape', 'Tab', 'ArrowDown', shortcut)).toEqual(Array(4).fill(true))
  expect(takeCapturedText()).toBe('')
})

it('releases the keys if no box appears', () => {
  vi.useFakeTimers()
  captureTyping()
  press('a')
  vi.advanceTimersByTime(3000)
  expect(press('b')).toEqual([true])
})
