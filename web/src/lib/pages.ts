import { infiniteQueryOptions, type QueryKey } from '@tanstack/react-query'
import { beginningOfPages } from './first-answers'
import { follow } from './http'
import { nextAddress, type Page } from './paging'

/** An address with its non-empty parameters, always in the same order. */
export function addressOf(
  path: string,
  query: Readonly<Record<string, string | undefined>>,
): string {
  const parameters = new URLSearchParams()
  for (const name of Object.keys(query).sort()) {
    const value = query[name]
    if (value) parameters.set(name, value)
  }
  const text = parameters.toString()
  return text ? `${path}?${text}` : path
}

/** A grid's pages. Another sort or search has another key, so a late answer to the old one is dropped. */
export function pagesOptions<T>(queryKey: QueryKey, first: string) {
  return infiniteQueryOptions({
    queryKey,
    queryFn: ({ pageParam, signal }) => follow<Page<T>>(pageParam, signal),
    initialPageParam: first,
    getNextPageParam: (_, pages) => nextAddress(pages),
    // Back restores the list with all its pages; refetching them all is not worth it.
    staleTime: 10 * 60_000,
    ...beginningOfPages<Page<T>>(first),
  })
}
