import { useQuery } from '@tanstack/react-query'
import { useMatch, useNavigate } from '@tanstack/react-router'
import { useEffect } from 'react'
import type { Resolved } from '#/api/types'
import { isStatus } from '#/lib/http'
import { resolveOptions } from './queries'

type Resolution =
  | { state: 'loading'; path: string }
  | { state: 'absent' }
  | { state: 'failed'; retry: () => void }
  | { state: 'found'; kind: Resolved['kind']; id: number; canonical: string }

/**
 * Resolves the page's path, and replaces the address if the canonical path differs. `below` is the
 * part of the address below the page's path.
 */
export function useResolved(below = ''): Resolution {
  // The page's own path: the address changes before the page does.
  const path = useMatch({ strict: false, select: (match) => withSlash(match.pathname) })
  const navigate = useNavigate()
  const resolved = useQuery(resolveOptions(path))
  const canonical = resolved.data?.moved_to ?? resolved.data?.canonical

  useEffect(() => {
    if (canonical && canonical !== path) {
      void navigate({ to: canonical + below, search: true, hash: true, replace: true })
    }
  }, [canonical, path, below, navigate])

  if (resolved.isPending) return { state: 'loading', path }
  if (resolved.isError) {
    const isAbsent = isStatus(resolved.error, 404) || isStatus(resolved.error, 400)
    return isAbsent
      ? { state: 'absent' }
      : { state: 'failed', retry: () => void resolved.refetch() }
  }
  const { kind, id } = resolved.data
  return { state: 'found', kind, id, canonical: resolved.data.canonical }
}

function withSlash(path: string): string {
  return path.endsWith('/') ? path : `${path}/`
}
