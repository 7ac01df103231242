import { Suspense, type ComponentProps } from 'react'
import { optionalComponent } from '#/lib/online'
import { Skeleton } from '#/ui/Skeleton'
import { MapFailed } from './MapFailed'
import styles from './PlaceMap.module.css'

const PlacesMap = optionalComponent(
  async () => ({ default: (await import('./PlacesMap')).PlacesMap }),
  MapFailed,
)

/** Places on a map that the reader has opened; most readers do not. */
export function LatePlacesMap(props: ComponentProps<typeof PlacesMap>) {
  const skeleton = (
    <div className={`${styles.frame} ${styles.many}`}>
      <Skeleton height="100%" />
    </div>
  )
  return (
    <Suspense fallback={skeleton}>
      <PlacesMap {...props} />
    </Suspense>
  )
}
