import { queryOptions } from '@tanstack/react-query'
import { apiQuery, resultsOf } from '#/lib/api-queries'

export function bestOfRowOptions(limit: number) {
  return queryOptions({
    ...apiQuery('/api/v2/best-of-lists/', { query: { limit } }),
    select: resultsOf,
  })
}

export function bestOfListOptions(slug: string) {
  return apiQuery('/api/v2/best-of-lists/{slug}/', { path: { slug } })
}
