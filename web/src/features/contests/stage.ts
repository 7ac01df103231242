import { LANGUAGE } from '#/lib/words'
import type { Contest } from '#/api/types'
import { instant } from '#/lib/time'
import { daysBetween } from '#/lib/zone'

export type Stage = 'upcoming' | 'open' | 'closed'

type Times = Pick<Contest, 'opens_at' | 'closes_at' | 'has_closed'>

/** Whether a contest takes entries. The server has the last word when one is sent. */
export function stageOf(contest: Times, now: number): Stage {
  if (contest.has_closed || instant(contest.closes_at) <= now) return 'closed'
  return instant(contest.opens_at) > now ? 'upcoming' : 'open'
}

/** With more days left than these, the date is shown instead of their number. */
const COUNTABLE = 30

/** How long one can still enter, in days of the city's zone. */
export function timeLeft(contest: Times, now: number, zone: string): string {
  const day = (at: number): string =>
    new Intl.DateTimeFormat(LANGUAGE, { dateStyle: 'medium', timeZone: zone }).format(at)
  const stage = stageOf(contest, now)
  if (stage === 'closed') return 'Closed'
  if (stage === 'upcoming') return `Opens ${day(instant(contest.opens_at))}`
  const closes = instant(contest.closes_at)
  if (Number.isNaN(closes)) return 'Open'
  // If it closes at midnight, the last day is the one before.
  const last = closes - 1
  const left = daysBetween(zone, now, last)
  if (left === 0) return 'Last day'
  if (left > COUNTABLE) return `Until ${day(last)}`
  return left === 1 ? '1 day left' : `${left} days left`
}
