import { PlaceCard, type PlaceCardProps } from './PlaceCard'
import { PlaceControls } from './PlaceControls'

/** The card of a place with its heart; a line of an index also has its flag. */
export function PlaceWithControls(props: Omit<PlaceCardProps, 'action'>) {
  const hasFlag = props.look === 'line'
  return <PlaceCard {...props} action={<PlaceControls place={props.place} hasFlag={hasFlag} />} />
}
