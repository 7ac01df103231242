import { useState } from 'react'
import { Button } from '#/ui/Button'
import type { MapPlace } from './map-contents'
import { LatePlacesMap } from './LatePlacesMap'
import styles from './PlaceMap.module.css'

interface Props {
  /** The places in words: "the best bars". */
  what: string
  /** Pass the same array while the places do not change. */
  places: readonly MapPlace[]
}

/** The map of a list, which loads on request. */
export function ListMap({ what, places }: Props) {
  const [isOpen, setOpen] = useState(false)
  const count = places.filter(({ coordinates }) => coordinates).length
  if (count === 0) return null
  if (isOpen) return <LatePlacesMap what={what} places={places} />
  return (
    <section className={styles.frame} aria-label={`Where ${what} are`}>
      <div className={styles.poster}>
        <p className={styles.where}>{count === 1 ? '1 place' : `${count} places`}</p>
        <Button onClick={() => setOpen(true)}>Show the map</Button>
      </div>
    </section>
  )
}
