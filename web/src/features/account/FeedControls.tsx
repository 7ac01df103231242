import { useState } from 'react'
import type { CalendarFeed } from '#/api/types'
import { announce } from '#/ui/Announcer'
import { Button } from '#/ui/Button'
import { Dialog } from '#/ui/Dialog'
import { formErrors } from '#/ui/form/errors'
import { FeedAddress } from './FeedAddress'
import styles from './FeedControls.module.css'
import { useEndFeed, useMakeFeed } from './mutations'

const NO_FIELDS = [] as const

/** Makes the feed's address, shows it, replaces it and switches it off. */
export function FeedControls({ feed }: { feed: CalendarFeed }) {
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

function FeedIsOn({ feed: { url } }: { feed: CalendarFeed }) {
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
        <Asked
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
        <Asked
          name="Switch the feed off"
          text="Your calendars are not told of changes any more. You can make another address at any time."
          isBusy={end.isPending}
          error={end.error}
          // The page goes back to the feed that is off, and this question with it.
          onYes={() =>
            end.mutate(undefined, { onSuccess: () => announce('The feed is switched off.') })
          }
        />
      </div>
    </>
  )
}

interface AskedProps {
  /** What is done, on the button and in the question. */
  name: string
  /** What follows from it. */
  text: string
  isBusy: boolean
  error: Error | null
  onYes: (close: () => void) => void
}

/** A button that asks before it does what others would notice. */
function Asked({ name, text, isBusy, error, onYes }: AskedProps) {
  const [isOpen, setOpen] = useState(false)
  const close = (): void => setOpen(false)
  return (
    <>
      <Button look="outline" onClick={() => setOpen(true)}>
        {name}
      </Button>
      <Dialog title={`${name}?`} isOpen={isOpen} onClose={close}>
        <p className={styles.text}>{text}</p>
        <Failure error={error} />
        <div className={styles.actions}>
          <Button isBusy={isBusy} onClick={() => onYes(close)}>
            {name}
          </Button>
          <Button look="outline" onClick={close}>
            Cancel
          </Button>
        </div>
      </Dialog>
    </>
  )
}

function Failure({ error }: { error: Error | null }) {
  const { other } = formErrors(error, NO_FIELDS)
  if (!other) return null
  return (
    <p className={styles.error} role="alert">
      {other}
    </p>
  )
}
