import type { Listing } from '#/api/types'
import { SaveButton } from '#/features/saved/SaveButton'

interface Props {
  place: Pick<Listing, 'id' | 'name' | 'is_closed'>
  look?: 'round' | 'labelled'
  hasFlag?: boolean
}

/** A place's heart and flag. A closed place has none: readers who have saved it find it in their dashboard. */
export function PlaceControls({
  place: { id, name, is_closed: isClosed },
  look,
  hasFlag = true,
}: Props) {
  if (isClosed) return null
  return (
    <>
      <SaveButton kind="favourite" objectId={id} name={name} look={look} />
      {hasFlag && <SaveButton kind="todo" objectId={id} name={name} look={look} />}
    </>
  )
}
