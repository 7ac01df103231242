import { useNavigate, useSearch } from '@tanstack/react-router'
import { useCallback, useMemo } from 'react'

type Changes<Name extends string> = Partial<Record<Name, string | undefined>>

/**
 * The parameters of a grid in its address, which readers can bookmark, share and return to. The routes'
 * `validateSearch` has cleaned them. Pass the same array of `names` at every render. `change` adds an entry to the
 * history; `select`, for select boxes, replaces the entry, so that Back leaves the list however often it was sorted.
 */
export function useAddressQuery<Name extends string>(names: readonly Name[]) {
  const search: Record<string, unknown> = useSearch({ strict: false })
  const navigate = useNavigate()

  const values = useMemo(() => {
    const found: Changes<Name> = {}
    for (const name of names) {
      const value = search[name]
      if (typeof value === 'string' && value) found[name] = value
    }
    return found
  }, [search, names])

  const go = useCallback(
    (changes: Changes<Name>, replace: boolean): void => {
      void navigate({
        to: '.',
        search: (before: Record<string, unknown>) => {
          const after: Record<string, unknown> = { ...before, ...changes }
          return Object.fromEntries(Object.entries(after).filter(([, value]) => value))
        },
        resetScroll: false,
        replace,
      })
    },
    [navigate],
  )
  const change = useCallback((changes: Changes<Name>): void => go(changes, false), [go])
  const select = useCallback((changes: Changes<Name>): void => go(changes, true), [go])
  return { values, change, select }
}
