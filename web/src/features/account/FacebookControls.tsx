import { useQuery } from '@tanstack/react-query'
import type { FacebookConnection } from '#/api/types'
import { useFacebook, useFacebookReturn } from '#/features/auth/facebook'
import { FacebookLink } from '#/features/auth/FacebookLink'
import { useSite } from '#/features/site/site'
import { currentPath } from '#/lib/site-path'
import { formatDate, parseInstant } from '#/lib/time'
import { dayIn } from '#/lib/zone'
import { announce } from '#/ui/Announcer'
import { ConfirmButton } from './ConfirmButton'
import styles from './forms.module.css'
import { useDisconnectFacebook } from './mutations'
import profile from './Profile.module.css'
import { ProfileSection } from './ProfileSection'
import { facebookOptions } from './queries'

/** The section of the account's connection with Facebook; empty if the site does not support it. */
export function Facebook() {
  return useFacebook() ? <FacebookSection /> : null
}

function FacebookSection() {
  const connection = useQuery(facebookOptions())
  const { isConnected, failure } = useFacebookReturn()
  return (
    <ProfileSection
      title="Facebook"
      what="connection with Facebook"
      query={connection}
      height="4.5rem"
      note={
        <p role="status" className={profile.note}>
          {failure ?? (isConnected && 'Facebook has confirmed that it is you.')}
        </p>
      }
    >
      {(loaded) => <FacebookControls connection={loaded} />}
    </ProfileSection>
  )
}

/** Connects the reader's account with Facebook, and disconnects it. */
export function FacebookControls({ connection }: { connection: FacebookConnection }) {
  const { timezone } = useSite()
  const disconnect = useDisconnectFacebook()
  const { date_connected: since } = connection
  if (!connection.is_connected) {
    return (
      <>
        <p>Connect your account, and Facebook can log you in.</p>
        <div className={styles.actions}>
          <FacebookLink to={{ next: currentPath() }}>Connect Facebook</FacebookLink>
        </div>
      </>
    )
  }
  return (
    <>
      <p>
        Facebook can log you in
        {since && `, since ${formatDate(dayIn(timezone, parseInstant(since)))}`}.
      </p>
      <div className={styles.actions}>
        <ConfirmButton
          name="Disconnect Facebook"
          text="Facebook does not log you in any more. Your account and what you have saved stay."
          isBusy={disconnect.isPending}
          error={disconnect.error}
          onYes={(close) =>
            disconnect.mutate(undefined, {
              onSuccess: () => {
                announce('Facebook is disconnected.')
                close()
              },
            })
          }
        />
      </div>
    </>
  )
}
