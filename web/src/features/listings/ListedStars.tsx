import type { Listing } from '#/api/types'
import { Stars } from '#/ui/Stars'

interface Props {
  place: Pick<Listing, 'is_closed' | 'rating' | 'voters'>
}

/** A place's mean rating on a card or in a list: nothing for a closed place, or without votes. */
export function ListedStars({ place: { is_closed: isClosed, rating, voters } }: Props) {
  return isClosed || rating == null ? null : <Stars rating={rating} voters={voters} isSmall />
}
