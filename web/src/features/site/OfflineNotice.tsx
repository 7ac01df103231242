import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { useIsOnline } from '#/lib/online'
import { announce } from '#/ui/Announcer'
import styles from './OfflineNotice.module.css'

/**
 * Says that there is no network. What has loaded stays; what was asked for waits and comes with the
 * network, and what had failed is asked for again then.
 */
export function OfflineNotice() {
  const isOnline = useIsOnline()
  const client = useQueryClient()
  const wasOffline = useRef(false)

  useEffect(() => {
    if (!isOnline) {
      wasOffline.current = true
    } else if (wasOffline.current) {
      wasOffline.current = false
      announce('You are back online.')
      void client.refetchQueries({
        type: 'active',
        predicate: (query) => query.state.status === 'error',
      })
    }
  }, [isOnline, client])

  return (
    <div role="status">
      {!isOnline && (
        <p className={styles.notice}>
          <b>You are offline.</b> What has loaded can still be read; the rest comes when you are
          back.
        </p>
      )}
    </div>
  )
}
