import { describe, expect, it } from 'vitest'
import { changesBetween, hasChanges, moveOn, parseVisits, type Standing } from './changes'

const NONE = { place: [], article: [], video: [], event: [] }

function standing(own: Partial<Standing> = {}): Standing {
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
    const before = standing({ closed: [1] })
    const now = standing({ places: [1, 2, 3, 4, 9], closed: [1, 2, 9] })
    expect(changesBetween(before, now).closed).toEqual([2])
  })
})

describe('new reviews', () => {
  it('are those before the first place of the earlier list', () => {
    const before = standing({ reviewed: [3, 1] })
    expect(changesBetween(before, standing({ reviewed: [4, 2, 3, 1] })).reviewed).toEqual([4, 2])
  })

  it('include a place that is reviewed again, but none that was saved since', () => {
    const before = standing({ reviewed: [3, 1] })
    const now = standing({ places: [1, 2, 3, 4, 9], reviewed: [9, 2, 3, 1] })
    expect(changesBetween(before, now).reviewed).toEqual([2])
  })

  it('cannot be told when nothing of the earlier list is left', () => {
    const before = standing({ reviewed: [3] })
    expect(changesBetween(before, standing({ reviewed: [2, 1] })).reviewed).toEqual([])
  })

  it('are all of them where none was reviewed before', () => {
    expect(changesBetween(standing(), standing({ reviewed: [2] })).reviewed).toEqual([2])
  })
})

it('withdrawn things are counted by kind, each once', () => {
  const before = standing({ withdrawn: { ...NONE, article: [5] } })
  const now = standing({ withdrawn: { ...NONE, article: [5, 6, 7], event: [8] } })
  const changes = changesBetween(before, now)
  expect(changes.withdrawn).toEqual({ place: 0, article: 2, video: 0, event: 1 })
  expect(hasChanges(changes)).toBe(true)
  expect(hasChanges(changesBetween(now, now))).toBe(false)
})

describe('a visit', () => {
  const first = standing()
  const at = (minutes: number): string =>
    new Date(Date.parse(first.at) + minutes * 60_000).toISOString()

  it('has nothing before it at first', () => {
    expect(moveOn(null, first)).toEqual({ before: null, latest: first })
  })

  it('goes on for half an hour after the dashboard was last opened', () => {
    const before = standing({ at: at(-60) })
    const now = standing({ at: at(30) })
    expect(moveOn({ before, latest: first }, now)).toEqual({ before, latest: now })
  })

  it('is a new one after that, compared with the end of the one before', () => {
    const now = standing({ at: at(30.01) })
    expect(moveOn({ before: null, latest: first }, now)).toEqual({ before: first, latest: now })
  })
})

describe('the stored visits', () => {
  const visits = { before: null, latest: standing() }

  it('are read as they were written', () => {
    expect(parseVisits(JSON.parse(JSON.stringify(visits)))).toEqual(visits)
  })

  it.each([
    undefined,
    null,
    'garbage',
    {},
    { latest: standing() },
    { before: null, latest: { ...standing(), at: 'yesterday' } },
    { before: {}, latest: standing() },
    { before: null, latest: { ...standing(), places: ['1'] } },
    { before: null, latest: { ...standing(), withdrawn: { place: [] } } },
  ])('are none if another version stored %j', (stored) => {
    expect(parseVisits(stored)).toBeNull()
  })
})
