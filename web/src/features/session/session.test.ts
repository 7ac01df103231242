import { describe, expect, it, vi } from 'vitest'
import { ApiError } from '#/lib/http'
import type { KeyValue } from '#/lib/storage'
import { memoryStore } from '../../../test/memory-store'
import { LAST_ACTIVE, LAST_UPDATES, PROFILE_ID, Session } from './session'

const LISTING_MAP = 'favourites:listingMap'

const NOW = Date.UTC(2026, 10, 20, 18)
const DAY = 24 * 60 * 60 * 1000

interface Options {
  stored?: Record<string, string>
  isHinted?: boolean
  status?: (() => Promise<number | null>)[]
  store?: KeyValue
}

function make({ stored = {}, isHinted = true, status = [], store }: Options = {}) {
  const memory = memoryStore(stored)
  const clock = { at: NOW, now: () => clock.at, sleep: vi.fn(async () => {}) }
  const hint = { is: isHinted, present: () => hint.is, drop: () => (hint.is = false) }
  const answers = [...status]
  const fetchStatus = vi.fn(() => (answers.shift() ?? (() => Promise.resolve(7)))())
  const forget = vi.fn()
  const announceEnd = vi.fn()
  const personalKeys = () => [LISTING_MAP]
  const ports = {
    ...{ clock, hint, fetchStatus, personalKeys, forget, announceEnd },
    store: store ?? memory,
  }
  return { session: new Session(ports), memory, clock, hint, fetchStatus, forget, announceEnd }
}

const PERSONAL = {
  [PROFILE_ID]: '7',
  [LAST_UPDATES]: '{}',
  [LISTING_MAP]: '{"updated":"2026-11-20T10:00:00.000Z","map":{"1":2}}',
}

describe('the local session', () => {
  it('is valid one second before five days are over', async () => {
    const at = String(NOW - 5 * DAY + 1000)
    const { session, fetchStatus, memory } = make({ stored: { ...PERSONAL, [LAST_ACTIVE]: at } })
    expect(await session.start()).toEqual({ status: 'member', id: 7 })
    expect(fetchStatus).toHaveBeenCalledOnce()
    expect(memory.values.get(LAST_ACTIVE)).toBe(String(NOW))
    expect(memory.values.has(LISTING_MAP)).toBe(true)
  })

  it.each([
    ['five days old', String(NOW - 5 * DAY)],
    ['in the future', String(NOW + 1)],
    ['garbage', 'yesterday'],
    ['an empty text', ''],
    ['not a number', 'NaN'],
  ])('has ended when the last activity is %s', async (_, at) => {
    const { session, fetchStatus, memory, hint } = make({
      stored: { ...PERSONAL, [LAST_ACTIVE]: at, debug_logging: '1' },
    })
    expect(await session.start()).toEqual({ status: 'guest' })
    expect(fetchStatus).not.toHaveBeenCalled()
    expect([...memory.values.keys()]).toEqual(['debug_logging'])
    expect(hint.is).toBe(false)
  })

  it('stays over at the next load', async () => {
    const options = { stored: { ...PERSONAL, [LAST_ACTIVE]: String(NOW - 5 * DAY) } }
    const { session } = make(options)
    await session.start()
    expect(await session.start()).toEqual({ status: 'guest' })
  })

  it('records the arrival after a sign-in by redirect', async () => {
    const { session, memory } = make()
    expect(await session.start()).toEqual({ status: 'member', id: 7 })
    expect(memory.values.get(LAST_ACTIVE)).toBe(String(NOW))
    expect(memory.values.get(PROFILE_ID)).toBe('7')
  })

  it('sends no request for a guest, and clears an earlier reader’s data', async () => {
    const { session, fetchStatus, memory, forget } = make({
      isHinted: false,
      stored: { ...PERSONAL, [LAST_ACTIVE]: String(NOW) },
    })
    expect(await session.start()).toEqual({ status: 'guest' })
    expect(fetchStatus).not.toHaveBeenCalled()
    expect(memory.values.size).toBe(0)
    expect(forget).toHaveBeenCalled()
  })

  it('slides with activity, and ends after five days without', async () => {
    const { session, clock, memory, announceEnd } = make({ stored: { [LAST_ACTIVE]: `${NOW}` } })
    await session.start()
    clock.at += 4 * DAY
    session.touch()
    expect(memory.values.get(LAST_ACTIVE)).toBe(String(clock.at))
    clock.at += 5 * DAY
    session.touch()
    expect(session.state.get()).toEqual({ status: 'guest' })
    expect(announceEnd).toHaveBeenCalledOnce()
  })

  it('ends when the cookie is gone, for example after Back to a page from before the log-out', async () => {
    const { session, hint } = make()
    await session.start()
    hint.is = false
    session.touch()
    expect(session.state.get()).toEqual({ status: 'guest' })
  })
})

describe('the status call', () => {
  const refused = (status: number) => () => Promise.reject(new ApiError(status))

  it('is asked again after 503, without losing anything', async () => {
    const { session, fetchStatus, memory, forget } = make({
      stored: { ...PERSONAL, [LAST_ACTIVE]: String(NOW) },
      status: [refused(503), refused(503)],
    })
    expect(await session.start()).toEqual({ status: 'member', id: 7 })
    expect(fetchStatus).toHaveBeenCalledTimes(3)
    expect(memory.values.has(LISTING_MAP)).toBe(true)
    expect(forget).not.toHaveBeenCalled()
  })

  it('counts as failed when 503 lasts: guest, caches cleared', async () => {
    const { session, memory, forget } = make({
      stored: { ...PERSONAL, [LAST_ACTIVE]: String(NOW) },
      status: [refused(503), refused(503), refused(503), refused(503)],
    })
    expect(await session.start()).toEqual({ status: 'guest' })
    expect(memory.values.size).toBe(0)
    expect(forget).toHaveBeenCalled()
  })

  it('fails immediately for a permanent error', async () => {
    const { session, fetchStatus } = make({ status: [refused(500)] })
    expect(await session.start()).toEqual({ status: 'guest' })
    expect(fetchStatus).toHaveBeenCalledOnce()
  })

  it('treats a reader as a guest if the server does not know them', async () => {
    const { session, hint } = make({ status: [() => Promise.resolve(null)] })
    expect(await session.start()).toEqual({ status: 'guest' })
    expect(hint.is).toBe(false)
  })

  it('clears everything personal of another profile before anything is shown', async () => {
    const { session, memory, forget } = make({
      stored: { ...PERSONAL, [LAST_ACTIVE]: String(NOW), is_user_over_18: 'true' },
      status: [() => Promise.resolve(8)],
    })
    const seen: string[] = []
    session.state.subscribe(() => seen.push(memory.values.get(LISTING_MAP) ?? 'cleared'))
    expect(await session.start()).toEqual({ status: 'member', id: 8 })
    expect(seen).toEqual(['cleared'])
    expect(forget).toHaveBeenCalledOnce()
    expect(memory.values.get(PROFILE_ID)).toBe('8')
    expect(memory.values.get('is_user_over_18')).toBe('true')
  })
})

describe('the end of a session', () => {
  it('clears the storage, drops the cookie and notifies the other tabs', async () => {
    const { session, memory, hint, announceEnd } = make({ stored: PERSONAL })
    await session.start()
    session.end()
    expect(memory.values.size).toBe(0)
    expect(hint.is).toBe(false)
    expect(announceEnd).toHaveBeenCalledOnce()
  })

  it('is not announced again by the tab that is notified', async () => {
    const { session, announceEnd } = make()
    await session.start()
    session.endHere()
    expect(session.state.get()).toEqual({ status: 'guest' })
    expect(announceEnd).not.toHaveBeenCalled()
  })
})

it('works with a storage that stores nothing', async () => {
  const store = { get: () => null, set: () => {}, remove: () => {} }
  const { session } = make({ store })
  expect(await session.start()).toEqual({ status: 'member', id: 7 })
  session.touch()
  expect(session.state.get()).toEqual({ status: 'member', id: 7 })
})
