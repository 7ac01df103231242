import type { Contest } from '#/api/types'
import { formatDay, parseInstant } from '#/lib/time'
import { daysBetween } from '#/lib/zone'

export type Stage = 'upcoming' | 'open' | 'closed'

type Times = Pick<Contest, 'opens_at' | 'closes_at' | 'has_closed'>

/** Whether a contest accepts entries. When an entry is sent, the server decides. */
export function stageOf(contest: Times, now: number): Stage {
  if (contest.has_closed || parseInstant(contest.closes_at) <= now) return 'closed'
  return parseInstant(contest.opens_at) > now ? 'upcoming' : 'open'
}

/** With more days left, the date is shown instead of their number. */
const MAX_DAYS = 30

/** The time left to enter, in days of the city's zone. */
export function timeLeft(contest: Times, now: number, zone: string): string {
  const stage = stageOf(contest, now)
  if (stage === 'closed') return 'Closed'
  if (stage === 'upcoming') return `Opens ${formatDay(parseInstant(contest.opens_at), now, zone)}`
  const closes = parseInstant(contest.closes_at)
  if (Number.isNaN(closes)) return 'Open'
  // If the contest closes at midnight, its last day is the day before.
  const last = closes - 1
  const left = daysBetween(zone, now, last)
  if (left === 0) return 'Ends today'
  if (left === 1) return 'Ends tomorrow'
  return left > MAX_DAYS ? `Ends ${formatDay(last, now, zone)}` : `Ends in ${left} days`
}
