import { describe, expect, it, vi } from 'vitest'
import { ApiError } from '#/lib/http'
import { deferred, flushTasks } from '../../../test/deferred'
import { memoryStore } from '../../../test/memory-store'
import { SavedMap, type MapRow, type SavedPorts, type Stamp } from './saved-map'

const KEY = 'favourites:listingMap'
const T0 = '2026-11-20T18:00:00.000Z'
const T1 = '2026-11-20T18:00:01.000Z'
const T2 = '2026-11-20T18:00:02.000Z'
const T3 = '2026-11-20T18:00:03.000Z'

const removedAt = (server_time: string): Stamp => ({ server_time, previous_update: null })

function make(stored?: { updated: string | null; map: Record<string, number> }) {
  const store = memoryStore(stored ? { [KEY]: JSON.stringify(stored) } : {})
  const ports = {
    store,
    storageKey: KEY,
    initial: true as const,
    save: vi.fn<SavedPorts<true>['save']>(async () => ({
      id: 50,
      server_time: T1,
      previous_update: null,
    })),
    remove: vi.fn<SavedPorts<true>['remove']>(async () => removedAt(T2)),
    fetchMap: vi.fn<SavedPorts<true>['fetchMap']>(async () => ({ results: [], server_time: T3 })),
    onSaved: vi.fn(),
    onRemoved: vi.fn(),
    onFetched: vi.fn(),
    onFailed: vi.fn(),
  }
  const map = new SavedMap(ports)
  map.load()
  const kept = () => JSON.parse(store.values.get(KEY) ?? 'null') as unknown
  return { map, ports, store, kept }
}

const toggle = (map: SavedMap<true>, objectId: number): void =>
  map.put(objectId, map.isOn(objectId) ? null : true)

describe('a toggle', () => {
  it('fetches the whole map when an answer shows a change by another device', async () => {
    const { map, ports, kept } = make({ updated: T0, map: {} })
    ports.save.mockResolvedValueOnce({ id: 50, server_time: T2, previous_update: T1 })
    ports.fetchMap.mockResolvedValueOnce({
      results: [
        [9, 50],
        [6, 60],
      ],
      server_time: T2,
    })
    toggle(map, 9)
    await map.settled()
    await flushTasks()
    expect([map.isOn(9), map.isOn(6)]).toEqual([true, true])
    expect(kept()).toEqual({ updated: T2, map: { 9: 50, 6: 60 } })
  })

  it('does not refetch after its own earlier change', async () => {
    const { map, ports } = make({ updated: T0, map: {} })
    toggle(map, 9)
    await map.settled()
    ports.remove.mockResolvedValueOnce({ server_time: T2, previous_update: T1 })
    toggle(map, 9)
    await map.settled()
    await flushTasks()
    expect(ports.fetchMap).not.toHaveBeenCalled()
  })

  it('is on immediately, and keeps the record id with the server’s time', async () => {
    const { map, kept, ports } = make({ updated: T0, map: {} })
    toggle(map, 9)
    expect(map.isOn(9)).toBe(true)
    await map.settled()
    expect(map.isOn(9)).toBe(true)
    expect(kept()).toEqual({ updated: T1, map: { 9: 50 } })
    expect(ports.onSaved).toHaveBeenCalledExactlyOnceWith(9)
  })

  it('waits for the first answer before a second click deletes: no row, heart off', async () => {
    const { map, ports, kept } = make({ updated: T0, map: {} })
    const answer = deferred<{ id: number } & Stamp>()
    ports.save.mockReturnValueOnce(answer.promise)
    toggle(map, 9)
    toggle(map, 9)
    expect(map.isOn(9)).toBe(false)
    await flushTasks()
    expect(ports.remove).not.toHaveBeenCalled()
    answer.resolve({ id: 51, server_time: T1, previous_update: null })
    await map.settled()
    expect(ports.remove).toHaveBeenCalledExactlyOnceWith(51)
    expect(map.isOn(9)).toBe(false)
    expect(kept()).toEqual({ updated: T2, map: {} })
  })

  it('reverts silently when the server refuses', async () => {
    const { map, ports, store } = make({ updated: T0, map: { 4: 40 } })
    const before = store.values.get(KEY)
    ports.save.mockRejectedValueOnce(new ApiError(500))
    ports.remove.mockRejectedValueOnce(new ApiError(0))
    toggle(map, 9)
    toggle(map, 4)
    await map.settled()
    expect([map.isOn(9), map.isOn(4)]).toEqual([false, true])
    expect(store.values.get(KEY)).toBe(before)
  })

  it('deletes the known record, and reports the deletion only when it is confirmed', async () => {
    const { map, ports } = make({ updated: T0, map: { 4: 40 } })
    const answer = deferred<Stamp | null>()
    ports.remove.mockReturnValueOnce(answer.promise)
    toggle(map, 4)
    expect([map.isOn(4), map.isBeingRemoved(4), map.isDeleted(40)]).toEqual([false, true, false])
    expect(ports.onRemoved).not.toHaveBeenCalled()
    answer.resolve(removedAt(T2))
    await map.settled()
    expect(ports.remove).toHaveBeenCalledExactlyOnceWith(40)
    expect(ports.onRemoved).toHaveBeenCalledExactlyOnceWith(40, 4)
    expect(map.isDeleted(40)).toBe(true)
  })

  it('stores nothing if the reader signs out before the answer', async () => {
    const { map, ports, store } = make({ updated: T0, map: {} })
    const answer = deferred<{ id: number } & Stamp>()
    ports.save.mockReturnValueOnce(answer.promise)
    toggle(map, 9)
    await flushTasks()
    map.clear()
    store.values.clear()
    answer.resolve({ id: 51, server_time: T1, previous_update: null })
    await flushTasks()
    expect(map.isOn(9)).toBe(false)
    expect(store.values.size).toBe(0)
  })
})

describe('freshness', () => {
  it.each([
    ['the server knows of no change', null],
    ['the last change is as old as the map', T1],
    ['the last change is older', T0],
  ])('fetches nothing when %s', async (_, at) => {
    const { map, ports } = make({ updated: T1, map: { 4: 40 } })
    await map.observe(at)
    expect(ports.fetchMap).not.toHaveBeenCalled()
    expect(map.isOn(4)).toBe(true)
  })

  it('fetches again when the server’s change is newer', async () => {
    const { map, ports, kept } = make({ updated: T1, map: { 4: 40 } })
    ports.fetchMap.mockResolvedValueOnce({ results: [[6, 60]], server_time: T3 })
    await map.observe(T2)
    expect([map.isOn(4), map.isOn(6)]).toEqual([false, true])
    expect(kept()).toEqual({ updated: T3, map: { 6: 60 } })
    expect(ports.onFetched).toHaveBeenCalledExactlyOnceWith([4, 6], true)
  })

  it.each([['garbage'], ['{"updated":7,"map":{}}'], ['[]'], ['{"updated":"soon","map":{"1":2}}']])(
    'does not trust a stored %s',
    async (text) => {
      const { map, ports, store } = make()
      store.values.set(KEY, text)
      map.load()
      await map.observe(null)
      expect(ports.fetchMap).toHaveBeenCalledOnce()
    },
  )

  it('stores an empty map that is not fresh when the fetch fails', async () => {
    const { map, ports, kept } = make({ updated: T0, map: { 4: 40 } })
    ports.fetchMap.mockRejectedValueOnce(new ApiError(503))
    await map.observe(T1)
    expect(kept()).toEqual({ updated: null, map: {} })
    await map.observe(T1)
    expect(ports.fetchMap).toHaveBeenCalledTimes(2)
  })

  it('is fresh for a reader who has never changed anything, until the first change', async () => {
    const { map, ports, kept } = make()
    ports.fetchMap.mockResolvedValueOnce({ results: [], server_time: null })
    await map.observe(null)
    await map.observe(null)
    expect(ports.fetchMap).toHaveBeenCalledOnce()
    expect(kept()).toEqual({ updated: '1970-01-01T00:00:00.000Z', map: {} })
    await map.observe(T1)
    expect(ports.fetchMap).toHaveBeenCalledTimes(2)
  })

  it('does not fetch after its own write', async () => {
    const { map, ports } = make({ updated: T0, map: {} })
    toggle(map, 9)
    await map.observe(T1)
    expect(ports.fetchMap).not.toHaveBeenCalled()
  })

  it('fetches after another device’s change that came just before its own write', async () => {
    const { map, ports } = make({ updated: T0, map: {} })
    ports.save.mockResolvedValueOnce({ id: 50, server_time: T2, previous_update: null })
    toggle(map, 9)
    await map.settled()
    await map.observe(T1)
    expect(ports.fetchMap).toHaveBeenCalledOnce()
  })

  it('discards an answer that may lack a write that was confirmed in the meantime', async () => {
    const { map, ports } = make({ updated: T0, map: {} })
    const early = deferred<{ results: MapRow<true>[]; server_time: string }>()
    ports.fetchMap.mockReturnValueOnce(early.promise)
    ports.fetchMap.mockResolvedValueOnce({ results: [[9, 50]], server_time: T3 })
    const observed = map.observe(T1)
    await flushTasks()
    toggle(map, 9)
    await map.settled()
    early.resolve({ results: [], server_time: T1 })
    await observed
    expect(map.isOn(9)).toBe(true)
    expect(ports.fetchMap).toHaveBeenCalledTimes(2)
  })

  it('is not fresh with only its own write', async () => {
    const { map, ports, kept } = make()
    toggle(map, 9)
    await map.settled()
    expect(kept()).toEqual({ updated: null, map: { 9: 50 } })
    await map.observe(T1)
    expect(ports.fetchMap).toHaveBeenCalledOnce()
  })
})

describe('a kind whose records have a value', () => {
  function makeRatings(stored?: unknown) {
    const store = memoryStore(stored ? { [KEY]: JSON.stringify(stored) } : {})
    const ports: SavedPorts<number> = {
      store,
      storageKey: KEY,
      initial: 0,
      save: vi.fn<SavedPorts<number>['save']>(async () => ({
        id: 50,
        server_time: T1,
        previous_update: null,
      })),
      remove: vi.fn<SavedPorts<number>['remove']>(async () => removedAt(T2)),
      fetchMap: async () => ({ results: [[9, 50, 4]], server_time: T1 }),
      onSaved: vi.fn(),
      onRemoved: vi.fn(),
      onFetched: vi.fn(),
      onFailed: vi.fn(),
    }
    const map = new SavedMap(ports)
    map.load()
    return { map, ports, kept: () => JSON.parse(store.values.get(KEY) ?? 'null') as unknown }
  }

  it('keeps the value with the record, and reads it from storage', async () => {
    const { map, kept } = makeRatings()
    await map.observe(T1)
    expect(map.value(9)).toBe(4)
    expect(kept()).toEqual({ updated: T1, map: { 9: [50, 4] } })
    expect(makeRatings(kept()).map.value(9)).toBe(4)
  })

  it('changes an existing record, and creates a missing one', async () => {
    const { map, ports } = makeRatings({ updated: T0, map: { 9: [50, 4] } })
    map.put(9, 5)
    map.put(8, 2)
    map.put(9, 5)
    await map.settled()
    expect(ports.save).toHaveBeenCalledTimes(2)
    expect(ports.save).toHaveBeenCalledWith(9, 5, 50)
    expect(ports.save).toHaveBeenCalledWith(8, 2, undefined)
    expect([map.value(9), map.value(8)]).toEqual([5, 2])
  })

  it('restores the confirmed value when a change is refused', async () => {
    const { map, ports } = makeRatings({ updated: T0, map: { 9: [50, 4] } })
    vi.mocked(ports.save).mockRejectedValueOnce(new ApiError(500))
    map.put(9, 1)
    expect(map.value(9)).toBe(1)
    await map.settled()
    expect(map.value(9)).toBe(4)
    expect(ports.onFailed).toHaveBeenCalledExactlyOnceWith(expect.any(ApiError), {
      objectId: 9,
      target: 1,
      isNew: false,
    })
  })

  it('reports the objects that another device has changed', async () => {
    const { map, ports } = makeRatings({ updated: T0, map: { 9: [50, 2], 8: [51, 3] } })
    ports.fetchMap = async () => ({
      results: [
        [9, 50, 4],
        [8, 51, 3],
        [7, 52, 1],
      ],
      server_time: T1,
    })
    await map.observe(T1)
    expect(ports.onFetched).toHaveBeenCalledExactlyOnceWith([9, 7], true)
  })

  it('reports the objects that another tab has changed', () => {
    const { map, ports } = makeRatings({ updated: T0, map: { 9: [50, 2], 8: [51, 3] } })
    ports.store.set(KEY, JSON.stringify({ updated: T1, map: { 8: [51, 3] } }))
    map.reload()
    expect(ports.onFetched).toHaveBeenCalledExactlyOnceWith([9], true)
  })

  it('drops stored values of another type', () => {
    const { map } = makeRatings({ updated: T0, map: { 9: [50, 'four'], 8: ['x', 4], 7: [70, 3] } })
    expect([map.value(9), map.value(8), map.value(7)]).toEqual([null, null, 3])
  })
})
