import type { Listing } from '#/api/types'
import { PlaceCard } from './PlaceCard'
import { PlaceControls } from './PlaceControls'
import styles from './PlaceNote.module.css'

/** The card of a place to which a text refers, with its heart. */
export function PlaceNote({ place }: { place: Listing }) {
  return (
    <div className={styles.note}>
      <PlaceCard
        place={place}
        look="line"
        heading="h2"
        action={<PlaceControls place={place} hasFlag={false} />}
      />
    </div>
  )
}
