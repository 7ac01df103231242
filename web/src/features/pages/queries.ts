import { queryOptions } from '@tanstack/react-query'
import type { Resolved, StaticPage } from '#/api/types'
import { beginning, firstAnswer } from '#/lib/first-answers'
import { api, dataOf } from '#/lib/http'
import { addressOf } from '#/lib/pages'
import { pageKeys } from './keys'

/** Resolves a path to the page's kind and id. */
export function resolveOptions(path: string) {
  return queryOptions({
    queryKey: pageKeys.resolve(path),
    queryFn: ({ signal }) =>
      dataOf(api.GET('/api/v2/resolve/', { params: { query: { path } }, signal })),
    staleTime: 10 * 60_000,
    ...beginning(resolving(path), (found: Resolved) => found),
  })
}

/** The resolution of the first page's path, if the page holds it. */
export function firstResolved(path: string): Resolved | undefined {
  return firstAnswer(resolving(path)) as Resolved | undefined
}

function resolving(path: string): string {
  return addressOf('/api/v2/resolve/', { path })
}

/** A static page such as the privacy policy. */
export function staticPageOptions(slug: string) {
  return queryOptions({
    queryKey: pageKeys.static(slug),
    queryFn: ({ signal }) =>
      dataOf(api.GET('/api/v2/pages/{slug}/', { params: { path: { slug } }, signal })),
    staleTime: 10 * 60_000,
    ...beginning(`/api/v2/pages/${slug}/`, (page: StaticPage) => page),
  })
}
