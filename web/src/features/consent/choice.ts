import { DAY } from '#/lib/zone'

/** Whether pages may load all content, or only what the site needs. */
export type ConsentAnswer = 'all' | 'needed'
export type Choice = ConsentAnswer | 'unasked'

/** An answer as this device stores it. */
export interface StoredAnswer {
  choice: ConsentAnswer
  /** The time of the answer, in milliseconds since the epoch. */
  at: number
  /** The version of the accepted text; empty for a refusal. */
  version: string
  /** The signed-in reader whose account has not recorded the answer yet; otherwise null. */
  unrecordedOf: number | null
}

/** An answer expires after this time, in milliseconds. */
const MAX_AGE = 365 * DAY

/** Reads an answer from storage or another tab; null if it is invalid. */
export function parseAnswer(value: unknown): StoredAnswer | null {
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

/** The meaning of an answer at an instant. Consent to another version of the text does not count. */
export function choiceOf(
  answer: StoredAnswer | null,
  version: string | undefined,
  now: number,
): Choice {
  if (!answer) return 'unasked'
  const age = now - answer.at
  // After the device's clock was set back, the answer would stay valid for too long.
  if (age < -DAY || age >= MAX_AGE) return 'unasked'
  return answer.choice === 'all' && answer.version !== version ? 'unasked' : answer.choice
}
