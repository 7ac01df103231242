import { useQuery } from '@tanstack/react-query'
import type { Calendar, Profile } from '#/api/types'
import { ProfileSection } from '#/features/account/ProfileSection'
import { announce } from '#/ui/Announcer'
import { Button } from '#/ui/Button'
import styles from './Calendar.module.css'
import { Failure } from '#/ui/form/Failure'
import { useChooseCalendar, useConnectCalendar, useDisconnectCalendar } from './mutations'
import { calendarOptions } from './queries'

/** Whether saved events are added to the reader's own calendar, and the connection to it. */
export function CalendarSettings({ me }: { me: Profile }) {
  const calendar = useQuery(calendarOptions())
  return (
    <ProfileSection title="Calendar" what="calendar" query={calendar} height="7rem">
      {(loaded) => <CalendarControls me={me} calendar={loaded} />}
    </ProfileSection>
  )
}

function CalendarControls({ me, calendar }: { me: Profile; calendar: Calendar }) {
  const choose = useChooseCalendar()
  const connect = useConnectCalendar()
  const disconnect = useDisconnectCalendar()
  const choice = me.calendar_sync ?? null
  const chosen = choose.isPending ? choose.variables : null
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
            isBusy={chosen === true}
            isInert={chosen !== null}
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
            isBusy={chosen === false}
            isInert={chosen !== null}
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
