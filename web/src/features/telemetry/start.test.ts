import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { measureWhenIdle } from './start'

const load = vi.fn(async () => undefined)
let idle: (() => void) | undefined

beforeEach(() => {
  load.mockClear()
  idle = undefined
  vi.stubGlobal('requestIdleCallback', (task: () => void) => (idle = task))
})
afterEach(() => {
  vi.unstubAllGlobals()
  Reflect.deleteProperty(navigator, 'globalPrivacyControl')
  Reflect.deleteProperty(navigator, 'doNotTrack')
})

it('loads in idle time, and survives code that does not load', () => {
  load.mockRejectedValueOnce(new Error('no network'))
  measureWhenIdle(load)
  expect(load).not.toHaveBeenCalled()
  idle?.()
  expect(load).toHaveBeenCalledOnce()
})

it.each([
  ['globalPrivacyControl', true],
  ['doNotTrack', '1'],
])('measures nothing in a browser that sends a signal: %s', (name, value) => {
  Object.defineProperty(navigator, name, { value, configurable: true })
  measureWhenIdle(load)
  expect(idle).toBeUndefined()
})
