import { QueryObserver } from '@tanstack/react-query'
import { HttpResponse, http as anyHttp } from 'msw'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { queryClient, session } from '#/features/session/current'
import { ApiError } from '#/lib/http'
import { NO_COUNTS } from '../../../test/counts'
import { deferred, flushTasks } from '../../../test/deferred'
import { http, server, withTestServer } from '../../../test/server'
import { enabledKinds, SAVED_KINDS, SAVED_NAMES, TOGGLED_NAMES, type SavedKind } from './kinds'
import { savedCountsOptions } from './queries'
import { makeMap, savedMap, toggle } from './saved'

withTestServer()

const AT = '2026-11-20T18:00:00.000Z'
const KEY = 'saved-test:map'

/** A kind for the test; lists and counts treat it as favourites. */
function makeKind(own: Partial<SavedKind<never>> = {}): SavedKind<never> {
  return {
    ...SAVED_KINDS.favourite,
    storageKey: KEY,
    fetchMap: async () => ({ results: [], server_time: AT }),
    save: vi.fn(async () => ({ id: 50, server_time: AT, previous_update: null })),
    ...own,
  }
}

beforeEach(async () => {
  server.use(
    http.get('/api/v2/profiles/status/', ({ response }) =>
      response(200).json({ id: 7, server_time: AT }),
    ),
  )
  document.cookie = 'signed_in=1'
  await session.start()
})

afterEach(() => session.end())

describe('a kind that asks before it saves', () => {
  it('saves the value that the reader chose', async () => {
    const kind = makeKind({ initial: 0, confirm: async () => 4 })
    const map = makeMap('favourite', kind)
    await toggle(map, kind, 9)
    await map.settled()
    expect(kind.save).toHaveBeenCalledExactlyOnceWith(9, 4, undefined)
    expect(map.value(9)).toBe(4)
  })

  it('saves nothing when the reader decides against it', async () => {
    const kind = makeKind({ confirm: async () => undefined })
    const map = makeMap('favourite', kind)
    await toggle(map, kind, 9)
    await map.settled()
    expect(kind.save).not.toHaveBeenCalled()
    expect(map.isOn(9)).toBe(false)
  })

  it('does not ask before a removal', async () => {
    const before = vi.fn(async () => true)
    const remove = vi.fn(async () => ({ response: new Response(null) }))
    const kind = makeKind({ confirm: before, remove })
    const map = makeMap('favourite', kind)
    map.put(9, true)
    await map.settled()
    await toggle(map, kind, 9)
    await map.settled()
    expect(before).not.toHaveBeenCalled()
    expect(remove).toHaveBeenCalledExactlyOnceWith(50)
  })
})

describe('a refused save', () => {
  it('is reported to the kind', async () => {
    const refused = vi.fn()
    const save = () => Promise.reject(new ApiError(409))
    const map = makeMap('favourite', makeKind({ save, onRefused: refused }))
    map.put(9, true)
    await map.settled()
    expect(refused).toHaveBeenCalledExactlyOnceWith(expect.any(ApiError), 9)
  })
})

describe.each(TOGGLED_NAMES)('%s', (name) => {
  const kind: SavedKind<never> = {
    ...SAVED_KINDS[name],
    storageKey: KEY,
    fetchMap: async () => ({ results: [], server_time: AT }),
  }
  const failure = () => HttpResponse.json({ code: 'internal' }, { status: 500 })
  const saved = () =>
    HttpResponse.json({ id: 50, server_time: AT, previous_update: null }, { status: 201 })
  const removed = () => new HttpResponse(null, { status: 204 })
  const onSave = (answer: () => Response | Promise<Response>) =>
    server.use(anyHttp.post(`*${kind.path}`, answer))
  const onRemoval = (answer: () => Response) =>
    server.use(anyHttp.delete(`*${kind.path}50/`, answer))
  const stored = () => window.localStorage.getItem(KEY)

  it('is as before after a save or a removal that fails', async () => {
    const map = makeMap(name, kind)
    map.load()
    await map.settled()
    for (const wasOn of [false, true]) {
      const before = stored()
      onSave(failure)
      onRemoval(failure)
      map.put(9, wasOn ? null : kind.initial)
      expect(map.isOn(9)).toBe(!wasOn)
      await map.settled()
      expect(map.isOn(9)).toBe(wasOn)
      expect(stored()).toBe(before)
      onSave(saved)
      if (!wasOn) map.put(9, kind.initial)
      await map.settled()
    }
  })

  it('sends the removal of a second click after the answer to the first', async () => {
    const map = makeMap(name, kind)
    const answer = deferred<Response>()
    const sent: string[] = []
    onSave(() => {
      sent.push('POST')
      return answer.promise
    })
    onRemoval(() => {
      sent.push('DELETE')
      return removed()
    })
    map.put(9, kind.initial)
    map.put(9, null)
    expect(map.isOn(9)).toBe(false)
    await vi.waitFor(() => expect(sent).toEqual(['POST']))
    answer.resolve(saved())
    await map.settled()
    expect(sent).toEqual(['POST', 'DELETE'])
    expect(map.isOn(9)).toBe(false)
  })
})

it('counts a missing record as removed', async () => {
  const remove = () => Promise.reject(new ApiError(404))
  const map = makeMap('favourite', makeKind({ remove }))
  map.put(9, true)
  await map.settled()
  map.put(9, null)
  await map.settled()
  expect([map.isOn(9), map.isDeleted(50)]).toEqual([false, true])
})

it('clears map and storage when the session ends', async () => {
  const map = makeMap('favourite', makeKind())
  map.put(9, true)
  await map.settled()
  expect(window.localStorage.getItem(KEY)).not.toBeNull()
  session.end()
  expect(map.isOn(9)).toBe(false)
  expect(window.localStorage.getItem(KEY)).toBeNull()
})

describe('the counts', () => {
  let requests = 0
  let stop: () => void
  let answers: { resolve: (value: undefined) => void }[] = []

  /** Shows the counts, and holds the answers to the requests for the maps. */
  beforeEach(async () => {
    requests = 0
    answers = []
    server.use(
      http.get('/api/v2/profiles/me/dashboard/', ({ response }) => {
        requests += 1
        return response(200).json(NO_COUNTS)
      }),
      anyHttp.get(/_ids\/$/, async () => {
        const answer = deferred<undefined>()
        answers.push(answer)
        await answer.promise
        return HttpResponse.json({ results: [], server_time: AT })
      }),
    )
    stop = new QueryObserver(queryClient, savedCountsOptions()).subscribe(() => {})
    await vi.waitFor(() => expect(queryClient.isFetching()).toBe(0))
    expect(requests).toBe(1)
  })

  afterEach(() => {
    stop()
    queryClient.clear()
  })

  async function fetchMaps(): Promise<void> {
    for (const name of SAVED_NAMES) {
      savedMap(name).load()
      void savedMap(name).observe(AT)
    }
    await vi.waitFor(() => expect(answers).toHaveLength(SAVED_NAMES.length))
    for (const answer of answers) {
      answer.resolve(undefined)
      await flushTasks()
    }
    await Promise.all(SAVED_NAMES.map((name) => savedMap(name).fetched()))
    await flushTasks()
  }

  it('are not requested again for the first maps of a page', async () => {
    await fetchMaps()
    expect(requests).toBe(1)
  })

  it('are requested once after all maps have changed elsewhere', async () => {
    for (const name of SAVED_NAMES) {
      const map = JSON.stringify({ updated: '2026-11-19T18:00:00.000Z', map: {} })
      window.localStorage.setItem(SAVED_KINDS[name].storageKey, map)
    }
    await fetchMaps()
    await vi.waitFor(() => expect(requests).toBe(2))
  })
})

it('leaves out the kinds of a section that is off', () => {
  const off = { listings: false, events: false, videos: false }
  expect(enabledKinds({ sections: off })).toEqual(['article-bookmark'])
  expect(enabledKinds({ sections: { listings: true } })).toEqual(SAVED_NAMES)
  expect(enabledKinds(undefined)).toEqual(SAVED_NAMES)
})
