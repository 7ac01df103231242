import { LANGUAGE } from '#/lib/words'
import type { Contest } from '#/api/types'
import { parseInstant } from '#/lib/time'
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
  const day = (at: number): string =>
    new Intl.DateTimeFormat(LANGUAGE, { dateStyle: 'medium', timeZone: zone }).format(at)
  const stage = stageOf(contest, now)
  if (stage === 'closed') return 'Closed'
  if (stage === 'upcoming') return `Opens ${day(parseInstant(contest.opens_at))}`
  const closes = parseInstant(contest.closes_at)
  if (Number.isNaN(closes)) return 'Open'
  // If the contest closes at midnight, its last day is the day before.
  const last = closes - 1
  const left = daysBetween(zone, now, last)
  if (left === 0) return 'Last day'
  if (left > MAX_DAYS) return `Until ${day(last)}`
  return left === 1 ? '1 day left' : `${left} days left`
}
