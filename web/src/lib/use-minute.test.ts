import { act, renderHook } from '@testing-library/react'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { useMinute } from './use-minute'

const NOW = Date.parse('2026-12-01T01:59:40Z')

beforeEach(() => void vi.useFakeTimers({ now: NOW }))
afterEach(() => void vi.useRealTimers())

it('is updated at each full minute', () => {
  const { result } = renderHook(useMinute)
  act(() => void vi.advanceTimersByTime(19_999))
  expect(result.current).toBe(NOW)
  act(() => void vi.advanceTimersByTime(1))
  expect(result.current).toBe(NOW + 20_000)
  act(() => void vi.advanceTimersByTime(60_000))
  expect(result.current).toBe(NOW + 80_000)
})

it('is updated when a hidden page is shown again', () => {
  const { result } = renderHook(useMinute)
  vi.setSystemTime(NOW + 3_600_000)
  act(() => void document.dispatchEvent(new Event('visibilitychange')))
  expect(result.current).toBe(NOW + 3_600_000)
})
