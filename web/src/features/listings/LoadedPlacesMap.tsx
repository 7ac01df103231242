import { useMemo } from 'react'
import type { Listing } from '#/api/types'
import CityMap, { type MapContent } from '#/ui/CityMap'
import { Skeleton } from '#/ui/Skeleton'
import { linkPoints, useAreas } from './map-contents'

/** How many neighbourhoods the map draws. */
const MOST_AREAS = 24

interface Props {
  label: string
  /** Keep the same array while the places do not change. */
  places: readonly Listing[]
  /** As in `LoadedMap`. */
  streets: string | undefined
}

/** Many places on the map of their neighbourhoods, those that lie close together as one. */
export default function LoadedPlacesMap({ label, places, streets }: Props) {
  const { areas, isPending } = useAreas({ places, most: MOST_AREAS })
  const content = useMemo(
    // No names of neighbourhoods: on a map of the whole city they would cover the places.
    (): MapContent => ({ areas, points: places.flatMap(linkPoints) }),
    [areas, places],
  )
  if (isPending) return <Skeleton height="100%" />
  return <CityMap label={label} content={content} streets={streets} groupedAs="places" />
}
