import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { useSavedObjects } from '#/features/saved/saved'
import { useSession } from '#/features/session/current'
import { meOptions } from '#/features/session/queries'
import { REMINDER_CLOSED } from '#/features/session/session'
import { useSite } from '#/features/site/site'
import { localStore } from '#/lib/storage'
import { systemClock } from '#/lib/time'
import { dayIn } from '#/lib/zone'
import { Reminder } from '#/ui/Reminder'
import { isSnoozed } from './snooze'

const TODOS = ['todo'] as const

/** Explains the flag to readers who have never had a to-do, at most once a month. */
export function ReminderBadge() {
  const { timezone } = useSite()
  const { status } = useSession()
  const [today] = useState(() => dayIn(timezone, systemClock.now()))
  const [isClosed, setClosed] = useState(() => isSnoozed(localStore.get(REMINDER_CLOSED), today))
  const todos = useSavedObjects(TODOS)
  const hasTodo = (todos.ids.get('todo') ?? []).length > 0
  const isWanted = status === 'member' && !isClosed && !hasTodo
  const me = useQuery({ ...meOptions(), enabled: isWanted && !todos.isPending })
  const client = useQueryClient()
  useEffect(() => {
    // The cached profile is older than the first to-do.
    if (hasTodo)
      client.setQueryData(
        meOptions().queryKey,
        (old) => old && { ...old, has_submitted_todo: true },
      )
  }, [client, hasTodo])
  // Once a reader has removed the last to-do, only the server's flag shows that the reader has used to-dos.
  if (!isWanted || me.data?.has_submitted_todo !== false) return null
  const close = (): void => {
    localStore.set(REMINDER_CLOSED, today)
    setClosed(true)
  }
  return (
    <Reminder label="About to-dos" onClose={close}>
      {/* A word joiner keeps the hyphen's word in one line. */}
      <p>
        Somewhere you want to go? Tap the flag on a place, and it is on your to-{'\u2060'}do list.
      </p>
    </Reminder>
  )
}
