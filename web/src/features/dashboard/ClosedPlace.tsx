import type { Listing } from '#/api/types'
import { PlaceCard } from '#/features/listings/PlaceCard'
import type { SavedName } from '#/features/saved/kinds'
import { savedMap } from '#/features/saved/saved'
import { Button } from '#/ui/Button'
import styles from './ClosedPlace.module.css'

interface Props {
  kind: SavedName
  recordId: number
  place: Listing
}

/** A saved place that has closed for good: it has no round controls, but can be removed from the list. */
export function ClosedPlace({ kind, recordId, place }: Props) {
  return (
    <>
      <PlaceCard place={place} />
      <div className={styles.remove}>
        <Button
          look="outline"
          aria-label={`Remove ${place.name}`}
          onClick={() => savedMap(kind).removeListed(place.id, recordId)}
        >
          Remove
        </Button>
      </div>
    </>
  )
}
