import { useQuery } from '@tanstack/react-query'
import type { CalendarFeed as Feed } from '#/api/types'
import { announce } from '#/ui/Announcer'
import { Button } from '#/ui/Button'
import { ConfirmButton } from './ConfirmButton'
import { Failure } from '#/ui/form/Failure'
import { FeedAddress } from './FeedAddress'
import styles from './forms.module.css'
import { useEndFeed, useMakeFeed } from './mutations'
import { ProfileSection } from './ProfileSection'
import { calendarFeedOptions } from './queries'

/** The section of the feed through which the reader's calendar follows saved events. */
export function CalendarFeed() {
  const feed = useQuery(calendarFeedOptions())
  return (
    <ProfileSection
      title="Your saved events in your calendar"
      what="calendar feed"
      query={feed}
      height="7rem"
    >
      {(loaded) => <FeedControls feed={loaded} />}
    </ProfileSection>
  )
}

/** Creates the feed's address, shows it, replaces it and turns the feed off. */
export function FeedControls({ feed }: { feed: Feed }) {
  const make = useMakeFeed()
  if (feed.date_created) return <FeedIsOn feed={feed} />
  return (
    <>
      <p>
        The calendar on your phone or computer can follow the events that you save here. It needs a
        private address for that.
      </p>
      <div className={styles.actions}>
        <Button
          look="outline"
          isBusy={make.isPending}
          onClick={() =>
            make.mutate(undefined, { onSuccess: () => announce('The address is made.') })
          }
        >
          Make a private address
        </Button>
      </div>
      <Failure error={make.error} />
    </>
  )
}

function FeedIsOn({ feed: { url } }: { feed: Feed }) {
  const make = useMakeFeed()
  const end = useEndFeed()
  return (
    <>
      {url ? (
        <FeedAddress url={url} />
      ) : (
        <p>Your calendar feed is on, but its address can no longer be shown. Make a new one.</p>
      )}
      <div className={styles.actions}>
        <ConfirmButton
          name="Make a new address"
          text="The present address stops working at once: each calendar that follows it needs the new one."
          isBusy={make.isPending}
          error={make.error}
          onYes={(close) =>
            make.mutate(undefined, {
              onSuccess: () => {
                announce('The new address is made.')
                close()
              },
            })
          }
        />
        <ConfirmButton
          name="Switch the feed off"
          text="Your calendars will no longer follow your saved events. You can create a new address at any time."
          isBusy={end.isPending}
          error={end.error}
          // Success needs no change here: the component of a feed that is off replaces this one.
          onYes={() =>
            end.mutate(undefined, { onSuccess: () => announce('The feed is switched off.') })
          }
        />
      </div>
    </>
  )
}
