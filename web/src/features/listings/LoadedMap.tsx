import { useQueries, useQuery } from '@tanstack/react-query'
import type { MultiPolygon, Polygon } from 'geojson'
import { useMemo } from 'react'
import type { Listing, ListingDetail, NeighbourhoodDetail } from '#/api/types'
import { useSite } from '#/features/site/site'
import { lastSlug } from '#/lib/share-path'
import { SiteLink } from '#/ui/SiteLink'
import { Skeleton } from '#/ui/Skeleton'
import CityMap, { type MapArea, type MapContent, type MapPoint } from '#/ui/CityMap'
import { nearestOptions, neighbourhoodOptions } from './map-queries'
import styles from './PlaceMap.module.css'

/** How many nearest places the map opens on, and how many neighbourhoods it draws. */
const IN_SIGHT = 8
const MOST_AREAS = 8

interface Props {
  place: ListingDetail
  at: Coordinates
}

interface Coordinates {
  lat: number
  lng: number
}

/** The place with its neighbours on the map of its neighbourhood. */
export default function LoadedMap({ place, at }: Props) {
  const streets = useSite().map?.style
  const nearest = useQuery(nearestOptions(at))
  const near = useMemo(
    () => (nearest.data ?? []).filter(({ id }) => id !== place.id),
    [nearest.data, place.id],
  )
  const { areas, isPending } = useAreas(place, near, nearest.isPending)
  const content = useMemo(
    (): MapContent => ({
      areas,
      // The street map has its own labels.
      points: [
        pointOf(place, at),
        ...near.flatMap(nearPoints),
        ...(streets ? [] : areas.map(labelOf)),
      ],
    }),
    [areas, at, near, place, streets],
  )
  if (isPending) return <Skeleton height="100%" />
  return (
    <CityMap label={`Map of what is around ${place.name}`} content={content} streets={streets} />
  )
}

/** The neighbourhoods of the place and its neighbours; those that do not load are left out. */
function useAreas(place: ListingDetail, near: readonly Listing[], isWaiting: boolean) {
  const own = slugOf(place)
  const slugs = [...new Set([own, ...near.map(slugOf)])]
    .filter((slug) => slug !== undefined)
    .slice(0, MOST_AREAS)
  return useQueries({
    queries: isWaiting ? [] : slugs.map((slug) => neighbourhoodOptions(slug)),
    combine: (answers) => ({
      isPending: isWaiting || answers.some((answer) => answer.isPending),
      areas: answers.flatMap(({ data }) => (data ? [areaOf(data, own)] : [])),
    }),
  })
}

function slugOf({ default_neighborhood: area }: Listing | ListingDetail): string | undefined {
  return area ? lastSlug(area.share_url) : undefined
}

function areaOf(area: NeighbourhoodDetail, own: string | undefined): MapArea {
  return {
    name: area.name,
    // The OpenAPI document has a plain object here; it is a Polygon or MultiPolygon of RFC 7946.
    shape: area.boundary as unknown as Polygon | MultiPolygon,
    isMain: area.slug === own,
  }
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

function nearPoints({ id, name, share_url: url, coordinates }: Listing, index: number): MapPoint[] {
  if (!coordinates) return []
  return [
    {
      key: id,
      ...coordinates,
      isInSight: index < IN_SIGHT,
      content: (
        <SiteLink href={url} className={styles.near}>
          <span>{name}</span>
        </SiteLink>
      ),
    },
  ]
}

/** The name of a neighbourhood, at its centre. */
function labelOf({ name, shape }: MapArea, index: number): MapPoint {
  const [first, ...others] = shape.type === 'Polygon' ? [shape.coordinates] : shape.coordinates
  const outlines = [first, ...others].flatMap((polygon) => polygon?.[0] ?? [])
  const middle = (along: 0 | 1): number => {
    const all = outlines.map((position) => position[along] ?? 0)
    return (Math.min(...all) + Math.max(...all)) / 2
  }
  return {
    // Places count from 1.
    key: -index,
    lng: middle(0),
    lat: middle(1),
    isInSight: false,
    content: <p className={styles.area}>{name}</p>,
  }
}
