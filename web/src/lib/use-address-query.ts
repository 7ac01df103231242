import { useNavigate, useSearch } from '@tanstack/react-router'
import { useCallback, useMemo } from 'react'

type Values<Name extends string> = Partial<Record<Name, string | undefined>>

/**
 * A grid's parameters live in its address, so that it can be bookmarked, shared and returned to.
 * `names` must be the same array at every call.
 */
export function useAddressQuery<Name extends string>(names: readonly Name[]) {
  const search: Record<string, unknown> = useSearch({ strict: false })
  const navigate = useNavigate()

  const values = useMemo(() => {
    const found: Values<Name> = {}
    for (const name of names) {
      const value = search[name]
      const text = typeof value === 'number' ? String(value) : value
      if (typeof text === 'string' && text.trim()) found[name] = text.trim()
    }
    return found
  }, [search, names])

  const change = useCallback(
    (changes: Values<Name>): void => {
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
