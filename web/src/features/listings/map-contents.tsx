import { useQueries, useQuery } from '@tanstack/react-query'
import type { MultiPolygon, Polygon } from 'geojson'
import type { Listing, NeighbourhoodDetail } from '#/api/types'
import { lastSlug } from '#/lib/share-path'
import type { MapPoint } from '#/ui/CityMap'
import type { MapArea } from '#/ui/map-style'
import { SiteLink } from '#/ui/SiteLink'
import { basemapOptions, neighbourhoodOptions } from './map-queries'
import styles from './PlaceMap.module.css'

type LocatedPlace = Pick<Listing, 'default_neighborhood'>

/** A place on a map of many, or an event at its place. */
export type MapPlace = LocatedPlace &
  Pick<Listing, 'id' | 'name' | 'share_url' | 'coordinates' | 'is_closed'> & {
    isEvent?: boolean
  }

interface GroundOptions {
  places: readonly LocatedPlace[]
  /** The place that the map is about. */
  main?: LocatedPlace | undefined
  /** Maximum number of neighbourhoods. */
  max: number
  /** The style that draws the streets, instead of the base map. */
  streets: string | undefined
  isWaiting?: boolean
}

/** The ground below places: their neighbourhoods and the base map. Parts that do not load are left out. */
export function useGround({ places, main, max, streets, isWaiting = false }: GroundOptions) {
  const own = main && slugOf(main)
  const slugs = [...new Set([own, ...places.map(slugOf)])]
    .filter((slug) => slug !== undefined)
    .slice(0, max)
  const basemap = useQuery({ ...basemapOptions, enabled: streets === undefined })
  const { areas, isPending } = useQueries({
    queries: isWaiting ? [] : slugs.map((slug) => neighbourhoodOptions(slug)),
    combine: (answers) => ({
      isPending: isWaiting || answers.some((answer) => answer.isPending),
      areas: answers.flatMap(({ data }) => (data ? [areaOf(data, own)] : [])),
    }),
  })
  return { areas, basemap: basemap.data, isPending: isPending || basemap.isLoading }
}

function slugOf({ default_neighborhood: area }: LocatedPlace): string | undefined {
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

/** A place's link on the map, if its position is known. A closed place has none. */
export function linkPoints(place: MapPlace): MapPoint[] {
  const { id, name, share_url: url, coordinates, is_closed: isClosed, isEvent } = place
  if (!coordinates || isClosed) return []
  return [
    {
      // An event may have the id of a place.
      key: isEvent ? -id : id,
      ...coordinates,
      isInSight: true,
      content: (
        <SiteLink href={url} className={isEvent ? `${styles.near} ${styles.event}` : styles.near}>
          <span>{name}</span>
        </SiteLink>
      ),
    },
  ]
}

/** The name of a neighbourhood, at its centre. */
export function labelOf({ name, shape }: MapArea, index: number): MapPoint {
  const [first, ...others] = shape.type === 'Polygon' ? [shape.coordinates] : shape.coordinates
  const outlines = [first, ...others].flatMap((polygon) => polygon?.[0] ?? [])
  const middle = (along: 0 | 1): number => {
    const all = outlines.map((position) => position[along] ?? 0)
    return (Math.min(...all) + Math.max(...all)) / 2
  }
  return {
    // Places have positive keys.
    key: -index,
    lng: middle(0),
    lat: middle(1),
    isInSight: false,
    content: <p className={styles.area}>{name}</p>,
  }
}
