import { useQuery } from '@tanstack/react-query'
import type { Listing } from '#/api/types'
import { useSession } from '#/features/session/current'
import { isReturn } from '#/lib/page-load'
import { Stars } from '#/ui/Stars'
import { placeRatingOptions } from './averages'
import { useRating } from './use-rating'

interface Props {
  place: Pick<Listing, 'id' | 'rating' | 'voters'>
}

/** A place's mean rating. It includes the reader's own vote, which the place's public answer may lack. */
export function PlaceStars({ place }: Props) {
  const { stars } = useRating(place.id)
  const isMember = useSession().status === 'member'
  // A page that Back shows may also contain a vote that the reader has removed.
  const enabled = isMember && (stars !== null || isReturn)
  const { data } = useQuery({ ...placeRatingOptions(place.id), enabled })
  const { average, voters } = data ?? { average: place.rating, voters: place.voters }
  return average == null ? 'No votes yet' : <Stars rating={average} voters={voters} />
}
