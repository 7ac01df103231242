import { DAY } from '#/lib/zone'

/** What a reader lets pages load: also what belongs to other companies, or only what the site needs. */
export type Answer = 'all' | 'needed'
export type Choice = Answer | 'unasked'

/** An answer as this device remembers it. */
export interface KeptAnswer {
  choice: Answer
  /** When it was given, in milliseconds since the epoch. */
  at: number
  /** The version of the words that were agreed to; empty for a refusal. */
  version: string
  /** The signed-in reader who has given it, until their account has recorded it. */
  unrecordedOf: number | null
}

/** An answer is asked for again after a year at most, in milliseconds. */
const KEPT_FOR = 365 * DAY

/** Reads an answer that a browser has kept or another tab has sent; garbage is none. */
export function readAnswer(value: unknown): KeptAnswer | null {
  if (typeof value !== 'object' || value === null) return null
  const { choice, at, version, unrecordedOf } = value as Record<string, unknown>
  if (choice !== 'all' && choice !== 'needed') return null
  if (typeof at !== 'number' || !Number.isFinite(at)) return null
  if (typeof version !== 'string') return null
  return {
    choice,
    at,
    version,
    unrecordedOf: typeof unrecordedOf === 'number' ? unrecordedOf : null,
  }
}

/** What an answer means at an instant. Consent to other words than those that are shown is none. */
export function choiceOf(
  answer: KeptAnswer | null,
  version: string | undefined,
  now: number,
): Choice {
  if (!answer) return 'unasked'
  const age = now - answer.at
  // A clock that has gone back makes it young again, for as long as nobody could have meant.
  if (age < -DAY || age >= KEPT_FOR) return 'unasked'
  return answer.choice === 'all' && answer.version !== version ? 'unasked' : answer.choice
}
