import { queryOptions } from '@tanstack/react-query'
import { apiQuery, resultsOf } from '#/lib/api-queries'

export const EVENTS = '/api/v2/events/'

export const ORDERINGS = [
  { value: 'date_starts', label: 'Soonest first' },
  { value: '-date_published', label: 'Newest first' },
  { value: 'name', label: 'Name, A to Z' },
] as const

/** The next events, for front pages. */
export function eventRowOptions(limit: number) {
  return queryOptions({ ...apiQuery(EVENTS, { query: { limit } }), select: resultsOf })
}

export function eventOptions(id: number) {
  return apiQuery('/api/v2/events/{id}/', { path: { id } })
}

/** An age-restricted event in full, for a reader who has confirmed their age. */
export function gatedEventOptions(id: number, headers: Record<string, string>) {
  return apiQuery('/api/v2/events/{id}/gated/', { path: { id } }, headers)
}

/** The event as a file for the reader's own calendar. */
export function calendarAddress(id: number): string {
  return `/api/v2/events/${id}.ics`
}
