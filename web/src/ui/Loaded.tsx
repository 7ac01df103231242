import type { ReactNode } from 'react'
import { ApiError, isStatus } from '#/lib/http'
import { Loading } from './Loading'
import { Retry } from './Retry'

/** The state of a query, or of several that give one result. */
export interface QueryState<T> {
  data: T | undefined
  error: Error | null
  refetch: () => Promise<unknown>
}

export interface LoadedProps<T> {
  query: QueryState<T>
  /** Shown while the data loads. */
  skeleton: ReactNode
  /** The title of the retry. */
  failure?: string
  /** Shown for a 404 instead of a retry. */
  notFound?: ReactNode
  children: (data: T) => ReactNode
}

/**
 * The data of a query: a skeleton while it loads, a notice while it waits for the network, and a retry after an error.
 * Data survives a failed refetch.
 */
export function Loaded<T>({ query, skeleton, failure, notFound, children }: LoadedProps<T>) {
  const { data, error } = query
  if (notFound && isStatus(error, 404)) return notFound
  if (data !== undefined) return children(data)
  if (!error) return <Loading>{skeleton}</Loading>
  const status = error instanceof ApiError ? error.status : 0
  return <Retry title={failure} status={status} onRetry={() => void query.refetch()} />
}
