import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { useIsOnline } from '#/lib/online'
import { announce } from '#/ui/Announcer'
import styles from './OfflineNotice.module.css'

/**
 * A notice that there is no network. Loaded content stays; requests wait for the network, and failed ones are repeated
 * when it returns.
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
          <b>You are offline.</b> You can still read what has loaded; the rest follows when you are
          back.
        </p>
      )}
    </div>
  )
}
