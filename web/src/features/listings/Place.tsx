import { SaveButton } from '#/features/saved/SaveButton'
import { PlaceCard, type PlaceCardProps } from './PlaceCard'

/** A card with its heart. */
export function Place(props: Omit<PlaceCardProps, 'action'>) {
  return (
    <PlaceCard
      {...props}
      action={<SaveButton kind="favourite" objectId={props.place.id} name={props.place.name} />}
    />
  )
}
