import { useQuery } from '@tanstack/react-query'
import { usePasskeys } from '#/features/auth/passkeys'
import { Retry } from '#/ui/Retry'
import { Skeleton } from '#/ui/Skeleton'
import { PasskeyList } from './PasskeyList'
import profile from './Profile.module.css'
import { passkeysOptions } from './queries'

const PASSKEYS = 'passkeys'

/** The passkeys that log the reader in; nothing where the browser or the site has none. */
export function Passkeys() {
  return usePasskeys() ? <PasskeySection /> : null
}

function PasskeySection() {
  const passkeys = useQuery(passkeysOptions())
  return (
    <section className={profile.section} aria-labelledby={PASSKEYS}>
      <h2 className={profile.title} id={PASSKEYS}>
        Your passkeys
      </h2>
      {passkeys.data ? (
        <PasskeyList passkeys={passkeys.data.results} />
      ) : passkeys.isError ? (
        <PasskeysFailed onRetry={() => void passkeys.refetch()} />
      ) : (
        <PasskeysSkeleton />
      )}
    </section>
  )
}

export function PasskeysFailed({ onRetry }: { onRetry: () => void }) {
  return <Retry title="Your passkeys did not load" onRetry={onRetry} />
}

export function PasskeysSkeleton() {
  return (
    <div role="status" aria-label="Loading your passkeys">
      <Skeleton height="4.5rem" />
    </div>
  )
}
