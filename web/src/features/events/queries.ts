import { queryOptions } from '@tanstack/react-query'
import type { Event } from '#/api/types'
import { beginning } from '#/lib/first-answers'
import { api, dataOf } from '#/lib/http'
import { addressOf, pagesOptions } from '#/lib/pages'
import { eventKeys } from './keys'

export const ORDERINGS = [
  { value: 'date_starts', label: 'Soonest first' },
  { value: '-date_published', label: 'Newest first' },
  { value: 'name', label: 'Name, A to Z' },
] as const

export function eventPagesOptions(query: Readonly<Record<string, string | undefined>>) {
  const first = addressOf('/api/v2/events/', query)
  return pagesOptions<Event>(eventKeys.pages(first), first)
}

/** The next events, for front pages. */
export function eventRowOptions(limit: number) {
  return queryOptions({
    queryKey: eventKeys.row(limit),
    queryFn: async ({ signal }) =>
      (await dataOf(api.GET('/api/v2/events/', { params: { query: { limit } }, signal }))).results,
  })
}

export function eventOptions(id: number) {
  return queryOptions({
    queryKey: eventKeys.detail(id),
    queryFn: ({ signal }) =>
      dataOf(api.GET('/api/v2/events/{id}/', { params: { path: { id } }, signal })),
    ...beginning(`/api/v2/events/${id}/`, (one: Event) => one),
  })
}

/** An age-restricted event in full, for a reader who has confirmed their age. */
export function gatedEventOptions(id: number, headers: Record<string, string>) {
  return queryOptions({
    queryKey: eventKeys.gated(id),
    queryFn: ({ signal }) =>
      dataOf(api.GET('/api/v2/events/{id}/gated/', { params: { path: { id } }, headers, signal })),
  })
}

/** The event as a file for the reader's own calendar. */
export function calendarAddress(id: number): string {
  return `/api/v2/events/${id}.ics`
}
