import { queryOptions, useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import type { Contest, NewEntry } from '#/api/types'
import { beginning } from '#/lib/first-answers'
import { formKeys } from '#/lib/form-keys'
import { api, dataOf, worthRetrying } from '#/lib/http'
import { contestKeys } from './keys'

export const CONTESTS = '/api/v2/contests/'

export const ORDERINGS = [
  { value: '-date_published', label: 'Newest first' },
  { value: 'date_published', label: 'Oldest first' },
  { value: 'name', label: 'Name, A to Z' },
] as const

/** The newest contests, for front pages. */
export function contestRowOptions(limit: number) {
  return queryOptions({
    queryKey: contestKeys.row(limit),
    queryFn: async ({ signal }) =>
      (await dataOf(api.GET(CONTESTS, { params: { query: { limit } }, signal }))).results,
  })
}

export function contestOptions(id: number) {
  return queryOptions({
    queryKey: contestKeys.detail(id),
    queryFn: ({ signal }) =>
      dataOf(api.GET('/api/v2/contests/{id}/', { params: { path: { id } }, signal })),
    ...beginning(`/api/v2/contests/${id}/`, (one: Contest) => one),
  })
}

/** An age-restricted contest in full, for a reader who has confirmed their age. */
export function gatedContestOptions(id: number, headers: Record<string, string>) {
  return queryOptions({
    queryKey: contestKeys.gated(id),
    queryFn: ({ signal }) =>
      dataOf(
        api.GET('/api/v2/contests/{id}/gated/', { params: { path: { id } }, headers, signal }),
      ),
  })
}

/** Enters a contest. A new entry (201) and one that existed already (200) are both a success. */
export function useEnter(id: number) {
  const [keyOf] = useState(formKeys)
  return useMutation({
    mutationFn: (body: NewEntry) =>
      dataOf(
        api.POST('/api/v2/contests/{id}/entries/', {
          params: { path: { id }, header: { 'Idempotency-Key': keyOf(body) } },
          body,
        }),
      ),
    // With its key an entry can be sent again without counting twice.
    retry: worthRetrying,
  })
}
