import { Suspense, type ComponentProps } from 'react'
import { useSession } from '#/features/session/current'
import { optionalComponent } from '#/lib/online'
import type { TodoReminder } from './TodoReminder'
import { useHasReached } from './use-has-reached'

const Todo = optionalComponent(
  async () => ({ default: (await import('./TodoReminder')).TodoReminder }),
  () => null,
)
const Badge = optionalComponent(
  async () => ({ default: (await import('./ReminderBadge')).ReminderBadge }),
  () => null,
)

interface Props extends ComponentProps<typeof TodoReminder> {
  /** The end of the story; null while the story loads. */
  end: Element | null
}

/** The reminder of a place, whose code loads once the reader has reached the end of the story. */
export function LateTodoReminder({ end, ...reminder }: Props) {
  return (
    useHasReached(end) && (
      <Suspense>
        <Todo {...reminder} />
      </Suspense>
    )
  )
}

/** The explanation of the flag, whose code only readers with an account load. */
export function LateReminderBadge() {
  return (
    useSession().status === 'member' && (
      <Suspense>
        <Badge />
      </Suspense>
    )
  )
}
