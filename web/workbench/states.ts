import type { ReactNode } from 'react'
import { ApiError } from '#/lib/http'
import type { QueryState } from '#/ui/Loaded'

/** The states of each component by its file's name, each with a unique name. */
export type States = Record<string, Record<string, ReactNode>>

/** A loading query, and a failed one. */
export const PENDING: QueryState<never> = {
  data: undefined,
  error: null,
  refetch: () => Promise.resolve(),
}
export const FAILED = { ...PENDING, error: new ApiError(503) }
