import { useQuery } from '@tanstack/react-query'
import { Retry } from '#/ui/Retry'
import { Skeleton } from '#/ui/Skeleton'
import { FeedControls } from './FeedControls'
import profile from './Profile.module.css'
import { calendarFeedOptions } from './queries'

const FEED = 'calendar-feed'

/** The reader's saved events as a feed for the reader's own calendar. */
export function CalendarFeed() {
  const feed = useQuery(calendarFeedOptions())
  return (
    <section className={profile.section} aria-labelledby={FEED}>
      <h2 className={profile.title} id={FEED}>
        Your saved events in your calendar
      </h2>
      {feed.data ? (
        <FeedControls feed={feed.data} />
      ) : feed.isError ? (
        <FeedFailed onRetry={() => void feed.refetch()} />
      ) : (
        <FeedSkeleton />
      )}
    </section>
  )
}

export function FeedFailed({ onRetry }: { onRetry: () => void }) {
  return <Retry title="Your calendar feed did not load" onRetry={onRetry} />
}

export function FeedSkeleton() {
  return (
    <div role="status" aria-label="Loading your calendar feed">
      <Skeleton height="7rem" />
    </div>
  )
}
