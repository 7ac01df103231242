import { Suspense } from 'react'
import { optionalComponent } from '#/lib/online'
import { Placeholder } from '#/ui/Placeholder'
import { Skeleton } from '#/ui/Skeleton'
import type { MapPlace } from './map-contents'
import { MapFailed } from './MapFailed'
import styles from './PlaceMap.module.css'
import { StreetsQuestion } from './StreetsQuestion'
import { useStreets } from './streets'

const LoadedPlacesMap = optionalComponent(() => import('./LoadedPlacesMap'), MapFailed)

interface Props {
  /** The places in words: "your favourites". */
  what: string
  /** Pass the same array while the places do not change. */
  places: readonly MapPlace[]
  /** The plural noun for the map's points: "places". */
  groupedAs?: string
}

/** Places on one map. */
export function PlacesMap({ what, places, groupedAs = 'places' }: Props) {
  const streets = useStreets()
  if (!places.some(({ coordinates }) => coordinates)) return null
  return (
    <>
      <section className={`${styles.frame} ${styles.many}`} aria-label={`Where ${what} are`}>
        <Suspense fallback={<Skeleton height="100%" />}>
          <LoadedPlacesMap
            label={`Map of ${what}`}
            places={places}
            groupedAs={groupedAs}
            streets={streets.style}
          />
        </Suspense>
      </section>
      <StreetsQuestion streets={streets} />
    </>
  )
}

/** As high as the map. */
export function PlacesMapSkeleton() {
  return (
    <Placeholder what="the map" className={`${styles.frame} ${styles.many}`}>
      <Skeleton height="100%" />
    </Placeholder>
  )
}
