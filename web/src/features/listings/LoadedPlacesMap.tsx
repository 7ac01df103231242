import { useMemo } from 'react'
import CityMap, { type MapContent } from '#/ui/CityMap'
import { Skeleton } from '#/ui/Skeleton'
import { linkPoints, useGround, type MapPlace } from './map-contents'

/** How many neighbourhoods the map draws. */
const MAX_AREAS = 24

interface Props {
  label: string
  /** Pass the same array while the places do not change. */
  places: readonly MapPlace[]
  groupedAs: string
  /** As in `LoadedMap`. */
  streets: string | undefined
}

/** Many places on a map of their neighbourhoods; places close together are grouped. */
export default function LoadedPlacesMap({ label, places, groupedAs, streets }: Props) {
  const { areas, basemap, isPending } = useGround({ places, max: MAX_AREAS, streets })
  const content = useMemo(
    // Without the names of neighbourhoods, which would cover the places on a map of the whole city.
    (): MapContent => ({ areas, basemap, points: places.flatMap(linkPoints) }),
    [areas, basemap, places],
  )
  if (isPending) return <Skeleton height="100%" />
  return <CityMap label={label} content={content} streets={streets} groupedAs={groupedAs} />
}
