import { useQuery } from '@tanstack/react-query'
import { useFacebook, useFacebookReturn } from '#/features/auth/facebook'
import { Retry } from '#/ui/Retry'
import { Skeleton } from '#/ui/Skeleton'
import { FacebookControls } from './FacebookControls'
import profile from './Profile.module.css'
import { facebookOptions } from './queries'

const FACEBOOK = 'facebook'

/** The connection of the reader's account with Facebook; nothing where the site has none. */
export function Facebook() {
  return useFacebook() ? <FacebookSection /> : null
}

function FacebookSection() {
  const connection = useQuery(facebookOptions())
  const { isConnected, failure } = useFacebookReturn()
  return (
    <section className={profile.section} aria-labelledby={FACEBOOK}>
      <h2 className={profile.title} id={FACEBOOK}>
        Facebook
      </h2>
      <p role="status" className={profile.note}>
        {failure ?? (isConnected && 'Facebook has confirmed that it is you.')}
      </p>
      {connection.data ? (
        <FacebookControls connection={connection.data} />
      ) : connection.isError ? (
        <FacebookFailed onRetry={() => void connection.refetch()} />
      ) : (
        <FacebookSkeleton />
      )}
    </section>
  )
}

export function FacebookFailed({ onRetry }: { onRetry: () => void }) {
  return <Retry title="Your connection with Facebook did not load" onRetry={onRetry} />
}

export function FacebookSkeleton() {
  return (
    <div role="status" aria-label="Loading your connection with Facebook">
      <Skeleton height="4.5rem" />
    </div>
  )
}
