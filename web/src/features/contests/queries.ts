import { queryOptions, useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import type { NewEntry } from '#/api/types'
import { apiQuery, resultsOf } from '#/lib/api-queries'
import { formKeys } from '#/lib/form-keys'
import { api } from '#/lib/api'
import { dataOf, worthRetrying } from '#/lib/http'

export const CONTESTS = '/api/v2/contests/'

export const ORDERINGS = [
  { value: '-date_published', label: 'Newest first' },
  { value: 'date_published', label: 'Oldest first' },
  { value: 'name', label: 'Name, A to Z' },
] as const

/** The newest contests, for front pages. */
export function contestRowOptions(limit: number) {
  return queryOptions({ ...apiQuery(CONTESTS, { query: { limit } }), select: resultsOf })
}

export function contestOptions(id: number) {
  return apiQuery('/api/v2/contests/{id}/', { path: { id } })
}

/** An age-restricted contest in full, for a reader who has confirmed their age. */
export function gatedContestOptions(id: number, headers: Record<string, string>) {
  return apiQuery('/api/v2/contests/{id}/gated/', { path: { id } }, headers)
}

/** A reader's entry, not sent, under way or sent. */
export type Entering = ReturnType<typeof useEnter>

/** Enters a contest. The answer is the same if the address has already entered. */
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
    // The key prevents a second entry.
    retry: worthRetrying,
  })
}
