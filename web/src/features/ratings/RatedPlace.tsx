import type { Listing } from '#/api/types'
import { PlaceCard } from '#/features/listings/PlaceCard'
import { starsInWords } from '#/lib/words'
import { CloseIcon } from '#/ui/icons'
import { RatingControl } from './RatingControl'
import styles from './RatedPlace.module.css'
import { useRating } from './use-rating'

interface Props {
  place: Listing
  /** The reader's stars when the list was loaded. */
  rating: number
}

/**
 * A place that the reader has rated: they can change or remove the rating. For a closed place they
 * can only remove it.
 */
export function RatedPlace({ place, rating }: Props) {
  const { remove } = useRating(place.id)
  const removal = (
    <button
      type="button"
      className={styles.remove}
      aria-label={`Remove your rating of ${place.name}`}
      onClick={remove}
    >
      <CloseIcon className={styles.icon} />
    </button>
  )
  return (
    <div className={styles.rated}>
      <PlaceCard place={place} action={removal} hasOwnStars />
      <div className={styles.stars}>
        {place.is_closed ? (
          <p className={styles.closed}>You gave it {starsInWords(rating)}.</p>
        ) : (
          <RatingControl place={place} look="bare" listed={rating} />
        )}
      </div>
    </div>
  )
}
