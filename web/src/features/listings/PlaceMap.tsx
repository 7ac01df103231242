import { Suspense, useState } from 'react'
import type { ListingDetail } from '#/api/types'
import { optionalComponent } from '#/lib/online'
import { Button } from '#/ui/Button'
import { Skeleton } from '#/ui/Skeleton'
import { openStreetMap } from './map-address'
import { StreetsQuestion } from './StreetsQuestion'
import { useStreets } from './streets'
import { MapFailed } from './MapFailed'
import styles from './PlaceMap.module.css'

// The map is a large chunk; the rest of the page works without it.
const LoadedMap = optionalComponent(() => import('./LoadedMap'), MapFailed)

interface Props {
  place: ListingDetail
}

/** A place's map, which loads on request. A closed place has none. */
export function PlaceMap({ place }: Props) {
  const [isOpen, setOpen] = useState(false)
  const streets = useStreets()
  const { coordinates } = place
  if (!coordinates || place.is_closed) return null
  return (
    <section className={styles.section} aria-label={`Where ${place.name} is`}>
      <div className={styles.frame}>
        {isOpen ? (
          <Suspense fallback={<Skeleton height="100%" />}>
            <LoadedMap place={place} at={coordinates} streets={streets.style} />
          </Suspense>
        ) : (
          <div className={styles.poster}>
            <p className={styles.where}>
              {[place.address, place.default_neighborhood?.name].filter(Boolean).join(', ')}
            </p>
            <Button onClick={() => setOpen(true)}>Show the map</Button>
          </div>
        )}
      </div>
      {isOpen && <StreetsQuestion streets={streets} />}
      <p className={styles.elsewhere}>
        <a href={openStreetMap(coordinates)} rel="noopener" target="_blank">
          Open in OpenStreetMap
        </a>
      </p>
    </section>
  )
}
