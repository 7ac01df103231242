import { queryOptions } from '@tanstack/react-query'
import type { Event } from '#/api/types'
import { api, dataOf } from '#/lib/http'
import { addressOf, pagesOptions } from '#/lib/pages'

const keys = {
  pages: (address: string) => ['events', 'pages', address] as const,
  row: (limit: number) => ['events', 'row', limit] as const,
  detail: (id: number) => ['events', 'detail', id] as const,
}

export const ORDERINGS = [
  { value: 'date_starts', label: 'Soonest first' },
  { value: '-date_published', label: 'Newest first' },
  { value: 'name', label: 'Name, A to Z' },
] as const

export function eventPagesOptions(query: Readonly<Record<string, string | undefined>>) {
  const first = addressOf('/api/v2/events/', query)
  return pagesOptions<Event>(keys.pages(first), first)
}

/** What is on next, for front pages. */
export function eventRowOptions(limit: number) {
  return queryOptions({
    queryKey: keys.row(limit),
    queryFn: async ({ signal }) =>
      (await dataOf(api.GET('/api/v2/events/', { params: { query: { limit } }, signal }))).results,
  })
}

export function eventOptions(id: number) {
  return queryOptions({
    queryKey: keys.detail(id),
    queryFn: ({ signal }) =>
      dataOf(api.GET('/api/v2/events/{id}/', { params: { path: { id } }, signal })),
  })
}

/** The event as a file for the reader's own calendar. */
export function calendarAddress(id: number): string {
  return `/api/v2/events/${id}.ics`
}
