import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { PlacesMap, PlacesMapSkeleton } from '#/features/listings/PlacesMap'
import type { SavedFilters } from '#/features/saved/keys'
import { SAVED_KINDS } from '#/features/saved/kinds'
import { allSavedOptions } from '#/features/saved/queries'
import { Retry } from '#/ui/Retry'

interface Props {
  kind: 'favourite' | 'todo'
  filters: SavedFilters
}

/** All favourites or to-dos that match the filters, on one map. */
export function SavedPlacesMap({ kind, filters }: Props) {
  const saved = useQuery(allSavedOptions(kind, filters))
  const places = useMemo(
    () => saved.data?.flatMap(({ listing }) => ('share_url' in listing ? listing : [])),
    [saved.data],
  )
  if (saved.isError) return <Retry onRetry={() => void saved.refetch()} />
  if (!places) return <PlacesMapSkeleton />
  const { label } = SAVED_KINDS[kind].dashboard
  return <PlacesMap what={`your ${label.toLowerCase()}`} places={places} />
}
