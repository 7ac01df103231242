import { DAY } from '#/lib/zone'
import { instant } from '#/lib/time'

/** A visit ends when the dashboard has not been opened for this long, in milliseconds. */
const BREAK = DAY / 48

/** The kinds of things whose withdrawal is reported. */
export const WITHDRAWABLE = ['place', 'article', 'video', 'event'] as const
export type Withdrawable = (typeof WITHDRAWABLE)[number]

/** The state of the reader's saved things that the dashboard compares from visit to visit. */
export interface Standing {
  /** The server's instant of this state. */
  at: string
  /** The saved places. */
  places: readonly number[]
  /** Those of them that have closed for good. */
  closed: readonly number[]
  /** Those of them that were reviewed last, the latest first. */
  reviewed: readonly number[]
  /** The saved things that are not published any more. */
  withdrawn: Readonly<Record<Withdrawable, readonly number[]>>
}

/** The state at the end of the visit before this one, and the latest one of this visit. */
export interface Visits {
  before: Standing | null
  latest: Standing
}

export interface Changes {
  /** Places that have closed. */
  closed: number[]
  /** Places that have a new review. */
  reviewed: number[]
  /** Things of each kind that have been withdrawn. */
  withdrawn: Record<Withdrawable, number>
}

/** Moves on to a new state: a new visit is compared with the end of the one before. */
export function moveOn(visits: Visits | null, now: Standing): Visits {
  if (!visits) return { before: null, latest: now }
  const isNewVisit = instant(now.at) - instant(visits.latest.at) > BREAK
  return { before: isNewVisit ? visits.latest : visits.before, latest: now }
}

/** What has happened to things that were saved at the earlier state already. */
export function changesBetween(before: Standing, now: Standing): Changes {
  const known = new Set(before.places)
  const withdrawn = {} as Changes['withdrawn']
  for (const kind of WITHDRAWABLE) {
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
 * Lists carry no dates of reviews, so the places before the first one that stood in the earlier list are
 * the new ones. If none of that list is left, nothing can be told.
 */
function newlyReviewed(before: Standing, now: Standing): number[] {
  if (before.reviewed.length === 0) return [...now.reviewed]
  const old = new Set(before.reviewed)
  const end = now.reviewed.findIndex((id) => old.has(id))
  return end < 0 ? [] : now.reviewed.slice(0, end)
}

export function hasChanges({ closed, reviewed, withdrawn }: Changes): boolean {
  return closed.length + reviewed.length > 0 || WITHDRAWABLE.some((kind) => withdrawn[kind] > 0)
}

/** The stored visits; null for none, or for what another version has stored. */
export function parseVisits(stored: unknown): Visits | null {
  const { before, latest } = (stored ?? {}) as Partial<Visits>
  if (!isStanding(latest) || (before !== null && !isStanding(before))) return null
  return { before, latest }
}

function isStanding(value: unknown): value is Standing {
  if (typeof value !== 'object' || value === null) return false
  const { at, places, closed, reviewed, withdrawn } = value as Partial<Standing>
  const isObject = typeof withdrawn === 'object' && (withdrawn as unknown) !== null
  return (
    !Number.isNaN(instant(at)) &&
    [places, closed, reviewed].every(isIds) &&
    isObject &&
    WITHDRAWABLE.every((kind) => isIds(withdrawn[kind]))
  )
}

function isIds(value: unknown): boolean {
  return Array.isArray(value) && value.every((id) => Number.isInteger(id))
}
