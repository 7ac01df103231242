import type { Resolved } from '#/api/types'
import { apiQuery, callOf } from '#/lib/api-queries'
import { firstAnswer } from '#/lib/first-answers'

const RESOLVE = '/api/v2/resolve/'

/** Resolves a path to the page's kind and id. */
export function resolveOptions(path: string) {
  return { ...apiQuery(RESOLVE, { query: { path } }), staleTime: 10 * 60_000 }
}

/** The resolution of the first page's path, if the document contains it. */
export function firstResolved(path: string): Resolved | undefined {
  return firstAnswer(callOf(RESOLVE, { query: { path } })) as Resolved | undefined
}

/** A static page such as the privacy policy. */
export function staticPageOptions(slug: string) {
  return { ...apiQuery('/api/v2/pages/{slug}/', { path: { slug } }), staleTime: 10 * 60_000 }
}
