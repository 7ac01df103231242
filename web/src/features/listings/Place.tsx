import { Heart } from '#/features/favourites/Heart'
import { PlaceCard, type PlaceCardProps } from './PlaceCard'

/** A card with its heart. */
export function Place(props: Omit<PlaceCardProps, 'action'>) {
  return (
    <PlaceCard {...props} action={<Heart listingId={props.place.id} name={props.place.name} />} />
  )
}
