import type { UseQueryResult } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { ApiError, isStatus } from '#/lib/http'
import { Retry } from '#/ui/Retry'
import { NotFoundPage } from './not-found'

interface Props<T> {
  query: UseQueryResult<T>
  /** Shown while the data loads. */
  skeleton: ReactNode
  children: (data: T) => ReactNode
}

/** A page's data: its skeleton while it loads, "not found" for a 404, a retry for any other error. */
export function Loaded<T>({ query, skeleton, children }: Props<T>) {
  if (query.isPending) return skeleton
  if (query.isSuccess) return children(query.data)
  if (isStatus(query.error, 404)) return <NotFoundPage />
  const status = query.error instanceof ApiError ? query.error.status : 0
  return <Retry status={status} onRetry={() => void query.refetch()} />
}
