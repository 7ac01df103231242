import { queryOptions } from '@tanstack/react-query'
import { api, dataOf } from '#/lib/http'

export function bestOfRowOptions(limit: number) {
  return queryOptions({
    queryKey: ['best-of-lists', 'row', limit],
    queryFn: async ({ signal }) => {
      const query = { limit }
      return (await dataOf(api.GET('/api/v2/best-of-lists/', { params: { query }, signal })))
        .results
    },
  })
}

export function bestOfListOptions(slug: string) {
  return queryOptions({
    queryKey: ['best-of-lists', 'detail', slug],
    queryFn: ({ signal }) =>
      dataOf(api.GET('/api/v2/best-of-lists/{slug}/', { params: { path: { slug } }, signal })),
  })
}
