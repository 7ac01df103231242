import { queryOptions } from '@tanstack/react-query'
import type { ArchiveMonth, Article } from '#/api/types'
import { beginning } from '#/lib/first-answers'
import { api, dataOf } from '#/lib/http'
import { addressOf } from '#/lib/pages'
import { articleKeys } from './keys'

export const ARTICLES = '/api/v2/articles/'

export const ORDERINGS = [
  { value: '-date_published', label: 'Newest first' },
  { value: 'date_published', label: 'Oldest first' },
  { value: 'name', label: 'Headline, A to Z' },
] as const

export function articleOptions(id: number) {
  return queryOptions({
    queryKey: articleKeys.detail(id),
    queryFn: ({ signal }) =>
      dataOf(api.GET('/api/v2/articles/{id}/', { params: { path: { id } }, signal })),
    ...beginning(`${ARTICLES}${id}/`, (article: Article) => article),
  })
}

/** An age-restricted article in full, for a reader who has confirmed their age. */
export function gatedArticleOptions(id: number, headers: Record<string, string>) {
  return queryOptions({
    queryKey: articleKeys.gated(id),
    queryFn: ({ signal }) =>
      dataOf(
        api.GET('/api/v2/articles/{id}/gated/', { params: { path: { id } }, headers, signal }),
      ),
  })
}

/** The newest articles of a section, or of all sections. */
export function articleRowOptions(section: string | undefined, limit: number) {
  return queryOptions({
    queryKey: articleKeys.row(section ?? '', limit),
    queryFn: async ({ signal }) => {
      const query = section ? { section, limit } : { limit }
      return (await dataOf(api.GET('/api/v2/articles/', { params: { query }, signal }))).results
    },
    ...beginning(
      addressOf(ARTICLES, { section, limit: String(limit) }),
      (page: { results: Article[] }) => page.results,
    ),
  })
}

/** The display name of an author or a tag, read from one of its articles. */
export function filterNameOptions(filter: 'author' | 'tag', slug: string | undefined) {
  return queryOptions({
    queryKey: articleKeys.filterName(filter, slug ?? ''),
    queryFn: async ({ signal }) => {
      const query = { [filter]: slug, limit: 1 }
      const { results } = await dataOf(api.GET('/api/v2/articles/', { params: { query }, signal }))
      const named = filter === 'author' ? results[0]?.authors : results[0]?.tags
      return named?.find((one) => one.slug === slug)?.name ?? null
    },
    enabled: slug !== undefined,
    staleTime: 10 * 60_000,
  })
}

export function archivesOptions() {
  return queryOptions({
    queryKey: articleKeys.archives(),
    queryFn: async ({ signal }) => (await dataOf(api.GET('/api/v2/archives/', { signal }))).results,
    staleTime: 10 * 60_000,
    ...beginning('/api/v2/archives/', (all: { results: ArchiveMonth[] }) => all.results),
  })
}
