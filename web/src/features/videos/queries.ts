import { queryOptions } from '@tanstack/react-query'
import { api, dataOf } from '#/lib/http'

export const VIDEOS = '/api/v2/videos/'

export const ORDERINGS = [
  { value: '-date_published', label: 'Newest first' },
  { value: 'date_published', label: 'Oldest first' },
  { value: 'name', label: 'Name, A to Z' },
] as const

/** The newest videos, for rows. */
export function videoRowOptions(limit: number) {
  return queryOptions({
    queryKey: ['videos', 'row', limit],
    queryFn: async ({ signal }) =>
      (await dataOf(api.GET(VIDEOS, { params: { query: { limit } }, signal }))).results,
  })
}

export function videoOptions(id: number) {
  return queryOptions({
    queryKey: ['videos', 'detail', id],
    queryFn: ({ signal }) =>
      dataOf(api.GET('/api/v2/videos/{id}/', { params: { path: { id } }, signal })),
  })
}
