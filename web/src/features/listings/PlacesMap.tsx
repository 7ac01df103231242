import { Suspense } from 'react'
import type { Listing } from '#/api/types'
import { optionalComponent } from '#/lib/online'
import { Skeleton } from '#/ui/Skeleton'
import { MapFailed } from './MapFailed'
import styles from './PlaceMap.module.css'
import { NameList } from './PlaceRows'
import { StreetsQuestion } from './StreetsQuestion'
import { useStreets } from './streets'

const LoadedPlacesMap = optionalComponent(() => import('./LoadedPlacesMap'), MapFailed)

interface Props {
  /** The places in words: "your favourites". */
  what: string
  /** Pass the same array while the places do not change. */
  places: readonly Listing[]
  /** Whether the names are listed below the map. */
  hasNames?: boolean
}

/** Places on one map. */
export function PlacesMap({ what, places, hasNames = true }: Props) {
  const streets = useStreets()
  const hasPositions = places.some(({ coordinates }) => coordinates)
  return (
    <>
      {hasPositions && (
        <section className={`${styles.frame} ${styles.many}`} aria-label={`Where ${what} are`}>
          <Suspense fallback={<Skeleton height="100%" />}>
            <LoadedPlacesMap label={`Map of ${what}`} places={places} streets={streets.style} />
          </Suspense>
        </section>
      )}
      {hasPositions && <StreetsQuestion streets={streets} />}
      {hasNames && <NameList places={places} />}
    </>
  )
}

/** As high as the map. */
export function PlacesMapSkeleton() {
  return (
    <div className={`${styles.frame} ${styles.many}`} role="status" aria-label="Loading the map">
      <Skeleton height="100%" />
    </div>
  )
}
