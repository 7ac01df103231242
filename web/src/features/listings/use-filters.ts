import { useNavigate, useSearch } from '@tanstack/react-router'
import { useMemo } from 'react'
import type { ListingFilters } from './keys'
import { DEFAULT_ORDERING, ORDERINGS } from './queries'

type FilterName = keyof ListingFilters
const NAMES: readonly FilterName[] = ['type', 'sub_type', 'neighbourhood', 'ordering', 'keywords']

/** The filters of a grid live in its address, so that they can be kept, sent and gone back to. */
export function useFilters(fixed: ListingFilters) {
  const search = useSearch({ strict: false }) as Record<string, unknown>
  const navigate = useNavigate()

  const filters = useMemo(() => {
    const found: ListingFilters = {}
    for (const name of NAMES) {
      const value = search[name]
      if (typeof value === 'string' && value.trim()) found[name] = value.trim()
    }
    if (!ORDERINGS.some((known) => known.value === found.ordering)) delete found.ordering
    return { ordering: DEFAULT_ORDERING, ...found, ...fixed }
  }, [search, fixed])

  const change = (changes: ListingFilters): void => {
    void navigate({
      to: '.',
      search: (before: Record<string, unknown>) => {
        const after: Record<string, unknown> = { ...before, ...changes }
        if (after.ordering === DEFAULT_ORDERING) delete after.ordering
        return Object.fromEntries(Object.entries(after).filter(([, value]) => value))
      },
      resetScroll: false,
    })
  }

  const isFiltered = NAMES.some(
    (name) => name !== 'ordering' && !(name in fixed) && filters[name] !== undefined,
  )
  const clear = (): void =>
    change({
      type: undefined,
      sub_type: undefined,
      neighbourhood: undefined,
      keywords: undefined,
    })
  return { filters, change, clear, isFiltered }
}
