import { act, renderHook } from '@testing-library/react'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { setPanel, togglePanel, usePanel } from './chrome'

beforeEach(() => void vi.useFakeTimers())

afterEach(() => {
  act(() => setPanel(null))
  vi.useRealTimers()
})

const shown = () => renderHook(() => usePanel()).result

it('opens one panel at a time', () => {
  const panel = shown()
  act(() => togglePanel('menu'))
  expect(panel.current).toBe('menu')
  act(() => togglePanel('profile'))
  expect(panel.current).toBe('profile')
  act(() => togglePanel('profile'))
  expect(panel.current).toBeNull()
})

it('opens the search after 100 ms, and closes an open panel immediately', () => {
  const panel = shown()
  act(() => togglePanel('menu'))
  act(() => togglePanel('search'))
  expect(panel.current).toBeNull()
  act(() => void vi.advanceTimersByTime(99))
  expect(panel.current).toBeNull()
  act(() => void vi.advanceTimersByTime(1))
  expect(panel.current).toBe('search')
})

it('does not open the search if another panel was opened in the meantime', () => {
  const panel = shown()
  act(() => togglePanel('search'))
  act(() => togglePanel('menu'))
  act(() => void vi.advanceTimersByTime(1000))
  expect(panel.current).toBe('menu')
})
