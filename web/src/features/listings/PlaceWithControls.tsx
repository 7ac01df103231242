import { PlaceCard, type PlaceCardProps } from './PlaceCard'
import { PlaceControls } from './PlaceControls'

/** The card of a place with its heart and its flag. */
export function PlaceWithControls(props: Omit<PlaceCardProps, 'action'>) {
  return <PlaceCard {...props} action={<PlaceControls place={props.place} />} />
}
