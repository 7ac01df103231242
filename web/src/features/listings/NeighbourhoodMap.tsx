import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Button } from '#/ui/Button'
import { Retry } from '#/ui/Retry'
import { placesInOptions } from './map-queries'
import { PlacesMap, PlacesMapSkeleton } from './PlacesMap'
import styles from './PlaceMap.module.css'

interface Props {
  name: string
  slug: string
  /** The number of its places. */
  count: number
}

/** The map of a neighbourhood's places, which are fetched with the map. */
export function NeighbourhoodMap({ name, slug, count }: Props) {
  const [isOpen, setOpen] = useState(false)
  const places = useQuery({ ...placesInOptions(slug), enabled: isOpen })
  const what = `the places in ${name}`
  if (count === 0) return null
  if (places.data) return <PlacesMap what={what} places={places.data} />
  if (places.isError) return <Retry onRetry={() => void places.refetch()} />
  if (isOpen) return <PlacesMapSkeleton />
  return (
    <section className={styles.frame} aria-label={`Where ${what} are`}>
      <div className={styles.poster}>
        <p className={styles.where}>{count === 1 ? '1 place' : `${count} places`}</p>
        <Button onClick={() => setOpen(true)}>Show the map</Button>
      </div>
    </section>
  )
}
