import { useQuery } from '@tanstack/react-query'
import type { Calendar, Profile } from '#/api/types'
import { announce } from '#/ui/Announcer'
import { Button } from '#/ui/Button'
import { Retry } from '#/ui/Retry'
import { Skeleton } from '#/ui/Skeleton'
import styles from './Calendar.module.css'
import { Failure } from '#/ui/form/Failure'
import { useChooseCalendar, useConnectCalendar, useDisconnectCalendar } from './mutations'
import { calendarOptions } from './queries'

/** The reader's own calendar: whether saved events go there, and the connection to it. */
export function CalendarSettings({ me }: { me: Profile }) {
  const calendar = useQuery(calendarOptions())
  return (
    <section className={styles.section} aria-labelledby="own-calendar">
      <h2 className={styles.title} id="own-calendar">
        Calendar
      </h2>
      {calendar.data ? (
        <CalendarControls me={me} calendar={calendar.data} />
      ) : calendar.isError ? (
        <CalendarFailed onRetry={() => void calendar.refetch()} />
      ) : (
        <CalendarSkeleton />
      )}
    </section>
  )
}

function CalendarFailed({ onRetry }: { onRetry: () => void }) {
  return <Retry title="Your calendar did not load" onRetry={onRetry} />
}

function CalendarSkeleton() {
  return (
    <div role="status" aria-label="Loading your calendar">
      <Skeleton height="7rem" />
    </div>
  )
}

function CalendarControls({ me, calendar }: { me: Profile; calendar: Calendar }) {
  const choose = useChooseCalendar()
  const connect = useConnectCalendar()
  const disconnect = useDisconnectCalendar()
  const choice = me.calendar_sync ?? null
  return (
    <>
      <p>{words(choice)}</p>
      <p>
        {calendar.is_connected
          ? 'Your Google calendar is connected.'
          : 'Your Google calendar is not connected.'}
      </p>
      <div className={styles.actions}>
        {choice !== true && (
          <Button
            look="outline"
            isBusy={choose.isPending}
            onClick={() =>
              choose.mutate(true, { onSuccess: () => announce('Saved events are added.') })
            }
          >
            Add saved events
          </Button>
        )}
        {choice !== false && (
          <Button
            look="outline"
            isBusy={choose.isPending}
            onClick={() =>
              choose.mutate(false, { onSuccess: () => announce('Saved events are not added.') })
            }
          >
            Do not add saved events
          </Button>
        )}
        {calendar.is_connected ? (
          <Button
            look="outline"
            isBusy={disconnect.isPending}
            onClick={() =>
              disconnect.mutate(undefined, {
                onSuccess: () => announce('Your calendar is disconnected.'),
              })
            }
          >
            Disconnect Google calendar
          </Button>
        ) : (
          <Button look="outline" isBusy={connect.isPending} onClick={() => connect.mutate()}>
            Connect Google calendar
          </Button>
        )}
      </div>
      <Failure error={choose.error ?? connect.error ?? disconnect.error} />
    </>
  )
}

function words(choice: boolean | null): string {
  if (choice === null)
    return 'You are asked when you save an event whether it goes to your calendar.'
  return choice
    ? 'Events that you save are added to your calendar.'
    : 'Events that you save are not added to your calendar.'
}
