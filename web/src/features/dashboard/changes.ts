import type { ObjectType } from '#/features/saved/kinds'
import { DAY } from '#/lib/zone'
import { parseInstant } from '#/lib/time'
import { OBJECT_TYPES } from './object-types'

/** A visit ends when the dashboard has not been opened for this long, in milliseconds. */
const VISIT_GAP = DAY / 48

/** The state of the reader's saved things, which the dashboard compares from visit to visit. */
export interface Snapshot {
  /** The server's time of this state. */
  at: string
  /** The saved places. */
  places: readonly number[]
  /** The places that have closed for good. */
  closed: readonly number[]
  /** The latest reviewed places, the latest first. */
  reviewed: readonly number[]
  /** The saved things that are no longer published. */
  withdrawn: Readonly<Record<ObjectType, readonly number[]>>
}

/** The state at the end of the previous visit, and the latest one of this visit. */
export interface Visits {
  before: Snapshot | null
  latest: Snapshot
}

export interface Changes {
  /** The newly closed places. */
  closed: number[]
  /** The newly reviewed places. */
  reviewed: number[]
  /** The number of newly withdrawn things of each type. */
  withdrawn: Record<ObjectType, number>
}

/** Records a new state. A new visit is compared with the end of the previous one. */
export function nextVisits(visits: Visits | null, now: Snapshot): Visits {
  if (!visits) return { before: null, latest: now }
  const isNewVisit = parseInstant(now.at) - parseInstant(visits.latest.at) > VISIT_GAP
  return { before: isNewVisit ? visits.latest : visits.before, latest: now }
}

/** The changes to things that were already saved in the earlier state. */
export function changesBetween(before: Snapshot, now: Snapshot): Changes {
  const known = new Set(before.places)
  const withdrawn = {} as Changes['withdrawn']
  for (const kind of OBJECT_TYPES) {
    const old = new Set(before.withdrawn[kind])
    withdrawn[kind] = now.withdrawn[kind].filter((id) => !old.has(id)).length
  }
  const hadClosed = new Set(before.closed)
  return {
    closed: now.closed.filter((id) => known.has(id) && !hadClosed.has(id)),
    reviewed: newlyReviewed(before, now).filter((id) => known.has(id)),
    withdrawn,
  }
}

/**
 * The newly reviewed places: those before the first place of the earlier list, since lists contain no review dates. If
 * no place of the earlier list is left, the new ones are unknown.
 */
function newlyReviewed(before: Snapshot, now: Snapshot): number[] {
  if (before.reviewed.length === 0) return [...now.reviewed]
  const old = new Set(before.reviewed)
  const end = now.reviewed.findIndex((id) => old.has(id))
  return end < 0 ? [] : now.reviewed.slice(0, end)
}

export function hasChanges({ closed, reviewed, withdrawn }: Changes): boolean {
  return closed.length + reviewed.length > 0 || OBJECT_TYPES.some((kind) => withdrawn[kind] > 0)
}

/** The stored visits; null if there are none, or if another version has stored them. */
export function parseVisits(stored: unknown): Visits | null {
  const { before, latest } = (stored ?? {}) as Partial<Visits>
  if (!isSnapshot(latest) || (before !== null && !isSnapshot(before))) return null
  return { before, latest }
}

function isSnapshot(value: unknown): value is Snapshot {
  if (typeof value !== 'object' || value === null) return false
  const { at, places, closed, reviewed, withdrawn } = value as Partial<Snapshot>
  const isObject = typeof withdrawn === 'object' && (withdrawn as unknown) !== null
  return (
    !Number.isNaN(parseInstant(at)) &&
    [places, closed, reviewed].every(isIds) &&
    isObject &&
    OBJECT_TYPES.every((kind) => isIds(withdrawn[kind]))
  )
}

function isIds(value: unknown): boolean {
  return Array.isArray(value) && value.every((id) => Number.isInteger(id))
}
