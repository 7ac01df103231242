import { queryOptions } from '@tanstack/react-query'
import type { BodyOf } from '#/api/types'
import { apiQuery, resultsOf } from '#/lib/api-queries'

export const ARTICLES = '/api/v2/articles/'

export const ORDERINGS = [
  { value: '-date_published', label: 'Newest first' },
  { value: 'date_published', label: 'Oldest first' },
  { value: 'name', label: 'Headline, A to Z' },
] as const

export function articleOptions(id: number) {
  return apiQuery('/api/v2/articles/{id}/', { path: { id } })
}

/** An age-restricted article in full, for a reader who has confirmed their age. */
export function gatedArticleOptions(id: number, headers: Record<string, string>) {
  return apiQuery('/api/v2/articles/{id}/gated/', { path: { id } }, headers)
}

/** The newest articles of a section, or of all sections. */
export function articleRowOptions(section: string | undefined, limit: number) {
  return queryOptions({ ...apiQuery(ARTICLES, { query: { section, limit } }), select: resultsOf })
}

/** The display name of an author or a tag, read from one of its articles. */
export function filterNameOptions(filter: 'author' | 'tag', slug: string | undefined) {
  return queryOptions({
    ...apiQuery(ARTICLES, { query: { [filter]: slug, limit: 1 } }),
    select: ({ results: [article] }: BodyOf<typeof ARTICLES>) => {
      const named = filter === 'author' ? article?.authors : article?.tags
      return named?.find((known) => known.slug === slug)?.name ?? null
    },
    enabled: slug !== undefined,
    staleTime: 10 * 60_000,
  })
}

export function archivesOptions() {
  return queryOptions({
    ...apiQuery('/api/v2/archives/'),
    select: resultsOf,
    staleTime: 10 * 60_000,
  })
}
