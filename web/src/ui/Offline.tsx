import { useCanGoBack, useRouter } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { hasKeptPage } from '#/lib/kept-pages'
import { checkNetwork } from '#/lib/online'
import { Button } from './Button'
import { Notice } from './Notice'
import styles from './Offline.module.css'

/** In place of content that was not loaded before the network was lost. */
export function Offline() {
  const router = useRouter()
  const canGoBack = useCanGoBack()
  const [attempts, setAttempts] = useState(0)
  useEffect(() => {
    // The copy has all that the page needs.
    void hasKeptPage().then((hasPage) => hasPage && window.location.reload())
  }, [])
  return (
    <Notice title="This has not loaded yet">
      <p>It needs a connection, and appears by itself as soon as there is one.</p>
      <div className={styles.actions}>
        <Button
          look="outline"
          onClick={() => {
            if (!checkNetwork()) setAttempts(attempts + 1)
          }}
        >
          Try again
        </Button>
        {canGoBack && (
          <Button look="quiet" onClick={() => router.history.back()}>
            Go back
          </Button>
        )}
      </div>
      {/* A repeated message is read again as a new element. */}
      <p role="status">
        {attempts > 0 && <span key={attempts}>There is still no connection.</span>}
      </p>
    </Notice>
  )
}
