import { queryOptions } from '@tanstack/react-query'
import { apiQuery, resultsOf } from '#/lib/api-queries'

export const VIDEOS = '/api/v2/videos/'

export const ORDERINGS = [
  { value: '-date_published', label: 'Newest first' },
  { value: 'date_published', label: 'Oldest first' },
  { value: 'name', label: 'Name, A to Z' },
] as const

/** The newest videos, for rows. */
export function videoRowOptions(limit: number) {
  return queryOptions({ ...apiQuery(VIDEOS, { query: { limit } }), select: resultsOf })
}

export function videoOptions(id: number) {
  return apiQuery('/api/v2/videos/{id}/', { path: { id } })
}

/** An age-restricted video in full, for a reader who has confirmed their age. */
export function gatedVideoOptions(id: number, headers: Record<string, string>) {
  return apiQuery('/api/v2/videos/{id}/gated/', { path: { id } }, headers)
}
