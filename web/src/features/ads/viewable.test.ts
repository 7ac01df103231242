import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { whenViewable } from './viewable'

let see: (share: number) => void = () => {}
let threshold: unknown
const viewable = vi.fn()

beforeEach(() => {
  vi.useFakeTimers()
  viewable.mockReset()
  vi.stubGlobal(
    'IntersectionObserver',
    class {
      constructor(tell: IntersectionObserverCallback, options: IntersectionObserverInit) {
        threshold = options.threshold
        see = (share) => {
          const entry = { isIntersecting: share > 0, intersectionRatio: share }
          tell([entry as IntersectionObserverEntry], this as never)
        }
      }
      observe() {}
      disconnect() {
        see = () => {}
      }
    },
  )
})
afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

// jsdom has no layout: the test sets the topmost element.
let onTop: Element | null = document.body
beforeEach(() => {
  onTop = document.body
  document.elementFromPoint = () => onTop
})

const watch = (width = 728, height = 90) => whenViewable(document.body, { width, height }, viewable)

function turn(visibility: DocumentVisibilityState): void {
  vi.spyOn(document, 'visibilityState', 'get').mockReturnValue(visibility)
  document.dispatchEvent(new Event('visibilitychange'))
}

it('counts half of an ad in view for a second, once', () => {
  watch()
  see(0.5)
  vi.advanceTimersByTime(999)
  expect(viewable).not.toHaveBeenCalled()
  vi.advanceTimersByTime(1)
  expect(viewable).toHaveBeenCalledTimes(1)
  see(1)
  vi.advanceTimersByTime(5_000)
  expect(viewable).toHaveBeenCalledTimes(1)
})

it('counts 30 % of a large ad, from 242,500 square pixels on', () => {
  watch(970, 250)
  expect(threshold).toBe(0.3)
  see(0.3)
  vi.advanceTimersByTime(1_000)
  expect(viewable).toHaveBeenCalledTimes(1)
  watch(300, 600)
  expect(threshold).toBe(0.5)
  see(0.49)
  vi.advanceTimersByTime(5_000)
  expect(viewable).toHaveBeenCalledTimes(1)
})

it('restarts the second when the ad leaves the viewport', () => {
  watch()
  see(0.8)
  vi.advanceTimersByTime(900)
  see(0.4)
  vi.advanceTimersByTime(50)
  see(0.8)
  vi.advanceTimersByTime(999)
  expect(viewable).not.toHaveBeenCalled()
  vi.advanceTimersByTime(1)
  expect(viewable).toHaveBeenCalledTimes(1)
})

it('does not count a tab in the background', () => {
  watch()
  turn('hidden')
  see(1)
  vi.advanceTimersByTime(5_000)
  turn('visible')
  vi.advanceTimersByTime(600)
  turn('hidden')
  vi.advanceTimersByTime(5_000)
  expect(viewable).not.toHaveBeenCalled()
  turn('visible')
  vi.advanceTimersByTime(1_000)
  expect(viewable).toHaveBeenCalledTimes(1)
})

it('does not count an ad that a dialog covers', () => {
  watch()
  onTop = document.documentElement
  see(1)
  vi.advanceTimersByTime(5_500)
  onTop = document.body
  vi.advanceTimersByTime(500)
  expect(viewable).not.toHaveBeenCalled()
  vi.advanceTimersByTime(1_000)
  expect(viewable).toHaveBeenCalledTimes(1)
})

it('counts nothing once it is stopped', () => {
  const stop = watch()
  see(1)
  vi.advanceTimersByTime(900)
  stop()
  vi.advanceTimersByTime(5_000)
  expect(viewable).not.toHaveBeenCalled()
})
