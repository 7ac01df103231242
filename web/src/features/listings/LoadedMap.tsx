import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import type { Listing, ListingDetail } from '#/api/types'
import { Skeleton } from '#/ui/Skeleton'
import CityMap, { type MapContent, type MapPoint } from '#/ui/CityMap'
import { labelOf, linkPoints, useGround } from './map-contents'
import { nearestOptions } from './map-queries'
import styles from './PlaceMap.module.css'

/** How many of the nearest places the map first shows, and how many neighbourhoods it draws. */
const PLACES_IN_VIEW = 8
const MAX_AREAS = 8

interface Props {
  place: ListingDetail
  at: Coordinates
  /** The address of the style that draws the streets, if the map may load it. */
  streets: string | undefined
}

interface Coordinates {
  lat: number
  lng: number
}

/** The place and its neighbours on a map of its neighbourhood. */
export default function LoadedMap({ place, at, streets }: Props) {
  const nearest = useQuery(nearestOptions(at))
  const near = useMemo(
    () => (nearest.data ?? []).filter(({ id }) => id !== place.id),
    [nearest.data, place.id],
  )
  const { areas, basemap, isPending } = useGround({
    places: near,
    main: place,
    max: MAX_AREAS,
    streets,
    isWaiting: nearest.isPending,
  })
  const content = useMemo(
    (): MapContent => ({
      areas,
      basemap,
      // The street map has its own labels.
      points: [
        pointOf(place, at),
        ...near.flatMap(nearPoints),
        ...(streets ? [] : areas.map(labelOf)),
      ],
    }),
    [areas, at, basemap, near, place, streets],
  )
  if (isPending) return <Skeleton height="100%" />
  return (
    <CityMap label={`Map of what is around ${place.name}`} content={content} streets={streets} />
  )
}

function pointOf({ id, name }: ListingDetail, at: Coordinates): MapPoint {
  return {
    key: id,
    ...at,
    isInSight: true,
    content: (
      <p className={styles.here}>
        <span>{name}</span>
      </p>
    ),
  }
}

function nearPoints(place: Listing, index: number): MapPoint[] {
  return linkPoints(place).map((point) => ({ ...point, isInSight: index < PLACES_IN_VIEW }))
}
