import { queryOptions } from '@tanstack/react-query'
import type { Video } from '#/api/types'
import { beginning } from '#/lib/first-answers'
import { api, dataOf } from '#/lib/http'
import { videoKeys } from './keys'

export const VIDEOS = '/api/v2/videos/'

export const ORDERINGS = [
  { value: '-date_published', label: 'Newest first' },
  { value: 'date_published', label: 'Oldest first' },
  { value: 'name', label: 'Name, A to Z' },
] as const

/** The newest videos, for rows. */
export function videoRowOptions(limit: number) {
  return queryOptions({
    queryKey: videoKeys.row(limit),
    queryFn: async ({ signal }) =>
      (await dataOf(api.GET(VIDEOS, { params: { query: { limit } }, signal }))).results,
  })
}

export function videoOptions(id: number) {
  return queryOptions({
    queryKey: videoKeys.detail(id),
    queryFn: ({ signal }) =>
      dataOf(api.GET('/api/v2/videos/{id}/', { params: { path: { id } }, signal })),
    ...beginning(`/api/v2/videos/${id}/`, (one: Video) => one),
  })
}

/** An age-restricted video in full, for a reader who has confirmed their age. */
export function gatedVideoOptions(id: number, headers: Record<string, string>) {
  return queryOptions({
    queryKey: videoKeys.gated(id),
    queryFn: ({ signal }) =>
      dataOf(api.GET('/api/v2/videos/{id}/gated/', { params: { path: { id } }, headers, signal })),
  })
}
