import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { NameList } from '#/features/listings/PlaceRows'
import { PlacesMap, PlacesMapSkeleton } from '#/features/listings/PlacesMap'
import type { SavedFilters } from '#/features/saved/keys'
import { allSavedOptions } from '#/features/saved/queries'
import { Loaded } from '#/ui/Loaded'
import { SECTIONS } from './sections'

interface Props {
  kind: 'favourite' | 'todo'
  filters: SavedFilters
}

/** All favourites or to-dos that match the filters, on one map. */
export function SavedPlacesMap({ kind, filters }: Props) {
  const saved = useQuery(allSavedOptions(kind, filters))
  const places = useMemo(
    () => saved.data?.flatMap(({ listing }) => ('share_url' in listing ? listing : [])) ?? [],
    [saved.data],
  )
  return (
    <Loaded query={saved} skeleton={<PlacesMapSkeleton />}>
      {() => (
        <>
          <PlacesMap what={`your ${SECTIONS[kind].label.toLowerCase()}`} places={places} />
          <NameList places={places} />
        </>
      )}
    </Loaded>
  )
}
