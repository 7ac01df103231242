import { statusLine } from '#/lib/status-names'
import { Button } from './Button'
import { Notice } from './Notice'

interface Props {
  title?: string | undefined
  /** The status of the server's answer; 0 without an answer. */
  status?: number
  onRetry: () => void
}

export function Retry({ title = 'This did not load', status = 0, onRetry }: Props) {
  const line = statusLine(status)
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
