import { PlaceCard, type PlaceCardProps } from './PlaceCard'
import { PlaceControls } from './PlaceControls'

/** A card with its heart and its flag. */
export function Place(props: Omit<PlaceCardProps, 'action'>) {
  return <PlaceCard {...props} action={<PlaceControls place={props.place} />} />
}
