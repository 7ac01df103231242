import { useQuery } from '@tanstack/react-query'
import { Retry } from '#/ui/Retry'
import { Skeleton } from '#/ui/Skeleton'
import { sessionsOptions } from './queries'
import { SessionList } from './SessionList'
import styles from './Profile.module.css'

const SESSIONS = 'sessions'

/** The devices on which the reader is logged in. */
export function Sessions() {
  const sessions = useQuery(sessionsOptions())
  return (
    <section className={styles.section} aria-labelledby={SESSIONS}>
      <h2 className={styles.title} id={SESSIONS}>
        Where you are logged in
      </h2>
      {sessions.data ? (
        <SessionList page={sessions.data} />
      ) : sessions.isError ? (
        <SessionsFailed onRetry={() => void sessions.refetch()} />
      ) : (
        <SessionsSkeleton />
      )}
    </section>
  )
}

export function SessionsFailed({ onRetry }: { onRetry: () => void }) {
  return <Retry title="Your devices did not load" onRetry={onRetry} />
}

export function SessionsSkeleton() {
  return (
    <div role="status" aria-label="Loading your devices">
      <Skeleton height="4.5rem" />
    </div>
  )
}
