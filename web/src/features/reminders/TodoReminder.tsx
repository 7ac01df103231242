import { useState } from 'react'
import type { Listing } from '#/api/types'
import { SaveButton } from '#/features/saved/SaveButton'
import { useSaved } from '#/features/saved/saved'
import { sessionStore } from '#/lib/storage'
import { Reminder } from '#/ui/Reminder'
import { useIsTall } from './use-is-tall'

/** Storage key of a reminder that is closed for the rest of the visit. */
const CLOSED = 'reminders:todoClosed'

interface Props {
  place: Pick<Listing, 'id' | 'name' | 'is_closed'>
}

/** Suggests adding an open place to the to-do list, on a page that is long enough. */
export function TodoReminder({ place: { id, name, is_closed: isClosedPlace } }: Props) {
  const [isClosed, setClosed] = useState(() => sessionStore.get(CLOSED) !== null)
  const { isOn } = useSaved('todo', id)
  const isTall = useIsTall()
  if (isClosed || isClosedPlace || isOn || !isTall) return null
  const close = (): void => {
    sessionStore.set(CLOSED, '1')
    setClosed(true)
  }
  return (
    <Reminder label="Reminder" onClose={close} isAboveDock>
      <p>Want to go to {name}?</p>
      <SaveButton kind="todo" objectId={id} name={name} look="labelled" />
    </Reminder>
  )
}
