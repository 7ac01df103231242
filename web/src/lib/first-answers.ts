import { isReturn } from './page-load'
import { pageJson } from './page-settings'
import { systemClock } from './time'

interface FirstAnswer {
  /** Path and query, spelled as {@link firstAnswer} expects them. */
  call: string
  body: unknown
}

function isFirstAnswer(value: unknown): value is FirstAnswer {
  return typeof value === 'object' && value !== null && 'call' in value && 'body' in value
}

function read(): ReadonlyMap<string, unknown> {
  const list = pageJson('page-data')
  const entries = Array.isArray(list) ? list.filter(isFirstAnswer) : []
  return new Map(entries.map(({ call, body }) => [call, body]))
}

const answers = read()

/** The time of the page's answers; 0 on a page that the browser has stored, whose answers are outdated. */
export const loadedAt = isReturn ? 0 : systemClock.now()

/** The answer to a call that the gateway wrote into the page; undefined for most calls. */
export function firstAnswer(call: string): unknown {
  return answers.get(call)
}
