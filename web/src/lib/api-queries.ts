import { infiniteQueryOptions, queryOptions, type InfiniteData } from '@tanstack/react-query'
import type { BodyOf, GetParams, GetPath, ListPath, PageItem } from '#/api/types'
import { firstAnswer, loadedAt } from './first-answers'
import { follow } from './http'
import { nextAddress, type Page } from './paging'
import { PERSONAL } from './query-client'

type Query = Readonly<Record<string, string | number | undefined>>

/** An address with its non-empty parameters, always in the same order. */
export function addressOf(path: string, query: Query = {}): string {
  const parameters = new URLSearchParams()
  for (const name of Object.keys(query).sort()) {
    const value = query[name]
    if (value !== undefined && value !== '') parameters.set(name, String(value))
  }
  const text = parameters.toString()
  return text ? `${path}?${text}` : path
}

/** The address of a call, spelled as in the gateway's first answers. */
export function callOf<P extends GetPath>(path: P, params?: GetParams<P>): string {
  const given = params as { path?: Query; query?: Query } | undefined
  const filled = path.replace(/\{(\w+)\}/g, (_, name: string) =>
    encodeURIComponent(String(given?.path?.[name])),
  )
  return addressOf(filled, given?.query)
}

type Arguments<P extends GetPath> =
  object extends GetParams<P>
    ? [params?: GetParams<P>, headers?: Record<string, string>]
    : [params: GetParams<P>, headers?: Record<string, string>]

/** The query of a GET request. Its key is the call, and it starts with the answer in the page, if there is one. */
export function apiQuery<P extends GetPath>(path: P, ...[params, headers]: Arguments<P>) {
  const call = callOf(path, params)
  return queryOptions({
    queryKey: [call],
    queryFn: ({ signal }) => follow<BodyOf<P>>(call, signal, headers),
    initialData: () => firstAnswer(call) as BodyOf<P> | undefined,
    initialDataUpdatedAt: loadedAt,
  })
}

/**
 * The query of a GET request about the reader. The data is removed when the session ends, and another device may change
 * it.
 */
export function personalQuery<P extends GetPath>(path: P, ...[params]: Arguments<P>) {
  const call = callOf(path, params)
  return queryOptions({
    queryKey: [PERSONAL, call],
    queryFn: ({ signal }) => follow<BodyOf<P>>(call, signal),
    staleTime: 0,
  })
}

/** The pages of a list. Another sort or search has another key, so a late answer to the old one is dropped. */
export function pagesQuery<P extends ListPath>(path: P, query?: Query) {
  return pagesFrom<PageItem<P>>(addressOf(path, query))
}

function pagesFrom<T>(first: string) {
  return infiniteQueryOptions({
    queryKey: ['pages', first],
    queryFn: ({ pageParam, signal }) => follow<Page<T>>(pageParam, signal),
    initialPageParam: first,
    getNextPageParam: (_, pages) => nextAddress(pages),
    // Back restores the list with all its pages; refetching them all is not worth it.
    staleTime: 10 * 60_000,
    initialData: () => {
      const page = firstAnswer(first)
      return page === undefined ? undefined : startingWith(first, page as Page<T>)
    },
    initialDataUpdatedAt: loadedAt,
  })
}

export type PagesQuery<T> = ReturnType<typeof pagesFrom<T>>

/** The data of a list's query of which the first page is known. */
export function startingWith<T>(first: string, page: T): InfiniteData<T, string> {
  return { pages: [page], pageParams: [first] }
}

/** Selects the items of a list that is not divided into pages. */
export function resultsOf<T>({ results }: { results: T[] }): T[] {
  return results
}
