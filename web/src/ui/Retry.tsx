import { useEffect, useState } from 'react'
import { Button } from './Button'
import { Notice } from './Notice'

interface Props {
  title?: string | undefined
  /** The status of the server's answer; 0 without an answer. */
  status?: number
  onRetry: () => void
}

export function Retry({ title = 'This did not load', status = 0, onRetry }: Props) {
  const line = useStatusLine(status)
  return (
    <Notice title={title} isAlert>
      <p>
        The connection or the site failed for a moment. What you were looking for is still there.
      </p>
      {line && <p>The server said: {line}.</p>}
      <Button look="outline" onClick={onRetry}>
        Try again
      </Button>
    </Notice>
  )
}

/** The status with its name. The names load separately, because pages rarely fail. */
function useStatusLine(status: number): string {
  const [line, setLine] = useState('')
  useEffect(() => {
    if (status === 0) return
    let isCurrent = true
    void import('#/lib/status-names').then(
      ({ statusLine }) => isCurrent && setLine(statusLine(status)),
      () => undefined,
    )
    return () => {
      isCurrent = false
    }
  }, [status])
  return line
}
