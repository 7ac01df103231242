import type { InfiniteData } from '@tanstack/react-query'
import { pageJson } from './page-settings'
import { systemClock } from './time'

interface FirstAnswer {
  /** Path and query, spelled as the calls here do. */
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
const arrived = systemClock.now()

/** The answer to a call that came with the page; undefined for most calls. */
export function firstAnswer(call: string): unknown {
  return answers.get(call)
}

/**
 * A query's initial data, if the page came with the answer to its call; as old as the page. `convert` makes
 * the query's data of the answer.
 */
export function beginning<T>(call: string, convert: (body: never) => T | undefined) {
  return {
    initialData: (): T | undefined => {
      const body = firstAnswer(call)
      return body === undefined ? undefined : convert(body as never)
    },
    initialDataUpdatedAt: arrived,
  }
}

/** The same for a grid: the answer is its first page. */
export function beginningOfPages<T>(call: string) {
  return beginning(call, (page: T): InfiniteData<T, string> => ({
    pages: [page],
    pageParams: [call],
  }))
}
