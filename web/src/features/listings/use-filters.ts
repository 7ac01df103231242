import { useMemo } from 'react'
import { useAddressQuery } from '#/lib/use-address-query'
import type { ListingFilters } from './queries'
import { DEFAULT_ORDERING, ORDERINGS } from './queries'

const NAMES = ['type', 'sub_type', 'neighbourhood', 'open_now', 'ordering', 'keywords'] as const

/** The filters of a grid of places. */
export function useFilters(fixed: ListingFilters) {
  const { values, change, select } = useAddressQuery(NAMES)

  const filters = useMemo(() => {
    const found: ListingFilters = { ...values }
    if (found.open_now !== '1') delete found.open_now
    if (!ORDERINGS.some((known) => known.value === found.ordering)) delete found.ordering
    return { ordering: DEFAULT_ORDERING, ...found, ...fixed }
  }, [values, fixed])

  const selectFilters = (changes: ListingFilters): void =>
    select(changes.ordering === DEFAULT_ORDERING ? { ...changes, ordering: undefined } : changes)

  const isFiltered = NAMES.some(
    (name) => name !== 'ordering' && !(name in fixed) && filters[name] !== undefined,
  )
  const clear = (): void =>
    change({
      type: undefined,
      sub_type: undefined,
      neighbourhood: undefined,
      open_now: undefined,
      keywords: undefined,
    })
  return { filters, change, select: selectFilters, clear, isFiltered }
}
