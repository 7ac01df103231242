import { useNavigate, useSearch } from '@tanstack/react-router'
import { useCallback, useMemo } from 'react'

/**
 * The parameters of a grid in its address, which readers can bookmark, share and return to. The routes'
 * `validateSearch` has cleaned them. Pass the same array of `names` at every render.
 */
export function useAddressQuery<Name extends string>(names: readonly Name[]) {
  const search: Record<string, unknown> = useSearch({ strict: false })
  const navigate = useNavigate()

  const values = useMemo(() => {
    const found: Partial<Record<Name, string | undefined>> = {}
    for (const name of names) {
      const value = search[name]
      if (typeof value === 'string' && value) found[name] = value
    }
    return found
  }, [search, names])

  const change = useCallback(
    (changes: Partial<Record<Name, string | undefined>>): void => {
      void navigate({
        to: '.',
        search: (before: Record<string, unknown>) => {
          const after: Record<string, unknown> = { ...before, ...changes }
          return Object.fromEntries(Object.entries(after).filter(([, value]) => value))
        },
        resetScroll: false,
      })
    },
    [navigate],
  )
  return { values, change }
}
