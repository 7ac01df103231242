import { queryOptions } from '@tanstack/react-query'
import type { BestOfDetail } from '#/api/types'
import { beginning } from '#/lib/first-answers'
import { api, dataOf } from '#/lib/http'
import { bestOfKeys } from './keys'

export function bestOfRowOptions(limit: number) {
  return queryOptions({
    queryKey: bestOfKeys.row(limit),
    queryFn: async ({ signal }) => {
      const query = { limit }
      return (await dataOf(api.GET('/api/v2/best-of-lists/', { params: { query }, signal })))
        .results
    },
  })
}

export function bestOfListOptions(slug: string) {
  return queryOptions({
    queryKey: bestOfKeys.detail(slug),
    queryFn: ({ signal }) =>
      dataOf(api.GET('/api/v2/best-of-lists/{slug}/', { params: { path: { slug } }, signal })),
    ...beginning(`/api/v2/best-of-lists/${slug}/`, (list: BestOfDetail) => list),
  })
}
