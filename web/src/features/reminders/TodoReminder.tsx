import { useState } from 'react'
import type { Listing } from '#/api/types'
import { useShouldAsk } from '#/features/consent/account'
import type { SavedName } from '#/features/saved/kinds'
import { SaveButton } from '#/features/saved/SaveButton'
import { savedMap, useSavedObjects } from '#/features/saved/saved'
import { useSession } from '#/features/session/current'
import { sessionStore } from '#/lib/storage'
import { Reminder } from '#/ui/Reminder'
import { useIsTall } from './use-is-tall'

/** Storage key of a reminder that is closed for the rest of the visit. */
const CLOSED = 'reminders:todoClosed'

/** Readers who have saved the place in one of these ways are not reminded. */
const DECISIONS: readonly SavedName[] = ['todo', 'favourite', 'rating']

interface Props {
  place: Pick<Listing, 'id' | 'name' | 'is_closed'>
}

/**
 * Suggests adding an open place to the to-do list, on a page that is long enough. The consent banner uses the same corner
 * and comes first.
 */
export function TodoReminder({ place: { id, name, is_closed: isClosedPlace } }: Props) {
  const [isClosed, setClosed] = useState(() => sessionStore.get(CLOSED) !== null)
  const isUndecided = useIsUndecided(id)
  const isAsking = useShouldAsk()
  const isTall = useIsTall()
  if (isClosed || isClosedPlace || !isUndecided || isAsking || !isTall) return null
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

/** Whether the reader has neither listed, favourited nor rated the place; false while this is unknown. */
function useIsUndecided(id: number): boolean {
  const { status } = useSession()
  const { isPending, isFailed } = useSavedObjects(DECISIONS)
  if (status === 'guest') return true
  return !isPending && !isFailed && !DECISIONS.some((name) => savedMap(name).isOn(id))
}
