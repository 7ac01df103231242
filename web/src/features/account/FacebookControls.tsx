import type { FacebookConnection } from '#/api/types'
import { FacebookLink } from '#/features/auth/FacebookLink'
import { useSite } from '#/features/site/site'
import { currentPath } from '#/lib/site-path'
import { formatDate, instant } from '#/lib/time'
import { dayIn } from '#/lib/zone'
import { announce } from '#/ui/Announcer'
import { Asked } from './Asked'
import styles from './forms.module.css'
import { useDisconnectFacebook } from './mutations'

/** Connects the reader's account with Facebook, and ends the connection. */
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
        {since && `, since ${formatDate(dayIn(timezone, instant(since)))}`}.
      </p>
      <div className={styles.actions}>
        <Asked
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
