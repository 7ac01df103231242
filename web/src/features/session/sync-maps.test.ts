import { HttpResponse } from 'msw'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { http, server, withTestServer } from '../../../test/server'
import { session } from './current'
import { syncMaps } from './sync-maps'

withTestServer()

const { followLive } = vi.hoisted(() => ({ followLive: vi.fn() }))
vi.mock('./live', () => ({ followLive }))

const AT = '2026-11-20T18:00:00.000Z'
const KEY = 'favourites:listingMap'

function makeMap() {
  return { load: vi.fn(), reload: vi.fn(), observe: vi.fn(async () => {}) }
}

const [favourites, ratings] = [makeMap(), makeMap()]
const stopLive = vi.fn()
const hello = { id: 7, last_updates: { favourites: AT, ratings: null }, server_time: AT }

// Only called once per page, so all tests share these maps.
syncMaps([
  { map: favourites, storageKey: KEY, field: 'favourites' },
  { map: ratings, storageKey: 'ratings:listingMap', field: 'ratings' },
])

function written(key: string, newValue: string | null): void {
  window.dispatchEvent(new StorageEvent('storage', { key, newValue }))
}

beforeEach(() => {
  vi.clearAllMocks()
  followLive.mockReturnValue(stopLive)
  server.use(
    http.get('/api/v2/profiles/status/', ({ response }) =>
      response(200).json({ id: 7, server_time: AT }),
    ),
    http.get('/api/v2/profiles/hi/', ({ response }) => response(200).json(hello)),
  )
  document.cookie = 'signed_in=1'
})

afterEach(() => session.end())

it('reads every stored map as soon as the reader is known', async () => {
  await session.start()
  expect(favourites.load).toHaveBeenCalledOnce()
  expect(ratings.load).toHaveBeenCalledOnce()
})

it('passes each map its own last change, at the load and live', async () => {
  await session.start()
  await vi.waitFor(() => expect(favourites.observe).toHaveBeenCalledExactlyOnceWith(AT))
  expect(ratings.observe).toHaveBeenCalledExactlyOnceWith(null)
  const later = '2026-11-20T19:00:00.000Z'
  const [ports] = followLive.mock.calls[0] as [{ onUpdates(hi: typeof hello): void }]
  ports.onUpdates({ ...hello, last_updates: { favourites: later, ratings: null } })
  expect(favourites.observe).toHaveBeenLastCalledWith(later)
  expect(JSON.parse(window.localStorage.getItem('profile:lastUpdates') ?? '')).toEqual({
    favourites: later,
    ratings: null,
  })
})

it('updates every map without an instant if the last updates cannot be fetched', async () => {
  server.use(
    http.get('/api/v2/profiles/hi/', ({ response }) =>
      response.untyped(HttpResponse.json({}, { status: 500 })),
    ),
  )
  await session.start()
  await vi.waitFor(() => expect(favourites.observe).toHaveBeenCalledExactlyOnceWith(null))
  expect(ratings.observe).toHaveBeenCalledExactlyOnceWith(null)
})

it('reads a map again after another tab has stored it, and no other', async () => {
  await session.start()
  written(KEY, '{}')
  expect(favourites.reload).toHaveBeenCalledOnce()
  expect(ratings.reload).not.toHaveBeenCalled()
  written(KEY, null)
  written('other', '{}')
  expect(favourites.reload).toHaveBeenCalledOnce()
})

it('follows nothing for a guest', async () => {
  await session.start()
  session.end()
  expect(stopLive).toHaveBeenCalledOnce()
  written(KEY, '{}')
  expect(favourites.reload).not.toHaveBeenCalled()
})
