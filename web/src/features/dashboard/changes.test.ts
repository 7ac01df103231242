import { describe, expect, it } from 'vitest'
import { changesBetween, hasChanges, nextVisits, parseVisits, type Snapshot } from './changes'

const NONE = { place: [], article: [], video: [], event: [] }

function snapshot(own: Partial<Snapshot> = {}): Snapshot {
  return {
    at: '2026-11-20T18:00:00.000Z',
    places: [1, 2, 3, 4],
    closed: [],
    reviewed: [],
    withdrawn: NONE,
    ...own,
  }
}

describe('places that have closed', () => {
  it('are reported once, and only if they were saved before', () => {
    const before = snapshot({ closed: [1] })
    const now = snapshot({ places: [1, 2, 3, 4, 9], closed: [1, 2, 9] })
    expect(changesBetween(before, now).closed).toEqual([2])
  })
})

describe('new reviews', () => {
  it('are those before the first place of the earlier list', () => {
    const before = snapshot({ reviewed: [3, 1] })
    expect(changesBetween(before, snapshot({ reviewed: [4, 2, 3, 1] })).reviewed).toEqual([4, 2])
  })

  it('include a place that is reviewed again, but none that was saved since', () => {
    const before = snapshot({ reviewed: [3, 1] })
    const now = snapshot({ places: [1, 2, 3, 4, 9], reviewed: [9, 2, 3, 1] })
    expect(changesBetween(before, now).reviewed).toEqual([2])
  })

  it('are unknown if nothing of the earlier list is left', () => {
    const before = snapshot({ reviewed: [3] })
    expect(changesBetween(before, snapshot({ reviewed: [2, 1] })).reviewed).toEqual([])
  })

  it('are all of them if none was reviewed before', () => {
    expect(changesBetween(snapshot(), snapshot({ reviewed: [2] })).reviewed).toEqual([2])
  })
})

it('withdrawn things are counted by kind, each once', () => {
  const before = snapshot({ withdrawn: { ...NONE, article: [5] } })
  const now = snapshot({ withdrawn: { ...NONE, article: [5, 6, 7], event: [8] } })
  const changes = changesBetween(before, now)
  expect(changes.withdrawn).toEqual({ place: 0, article: 2, video: 0, event: 1 })
  expect(hasChanges(changes)).toBe(true)
  expect(hasChanges(changesBetween(now, now))).toBe(false)
})

describe('a visit', () => {
  const first = snapshot()
  const at = (minutes: number): string =>
    new Date(Date.parse(first.at) + minutes * 60_000).toISOString()

  it('has no predecessor at first', () => {
    expect(nextVisits(null, first)).toEqual({ before: null, latest: first })
  })

  it('continues for half an hour after the dashboard was last opened', () => {
    const before = snapshot({ at: at(-60) })
    const now = snapshot({ at: at(30) })
    expect(nextVisits({ before, latest: first }, now)).toEqual({ before, latest: now })
  })

  it('is a new one after that, compared with the end of the one before', () => {
    const now = snapshot({ at: at(30.01) })
    expect(nextVisits({ before: null, latest: first }, now)).toEqual({ before: first, latest: now })
  })
})

describe('the stored visits', () => {
  const visits = { before: null, latest: snapshot() }

  it('are read as they were stored', () => {
    expect(parseVisits(JSON.parse(JSON.stringify(visits)))).toEqual(visits)
  })

  it.each([
    undefined,
    null,
    'garbage',
    {},
    { latest: snapshot() },
    { before: null, latest: { ...snapshot(), at: 'yesterday' } },
    { before: {}, latest: snapshot() },
    { before: null, latest: { ...snapshot(), places: ['1'] } },
    { before: null, latest: { ...snapshot(), withdrawn: { place: [] } } },
  ])('are dropped if another version stored %j', (stored) => {
    expect(parseVisits(stored)).toBeNull()
  })
})
