import { Button } from './Button'
import { Notice } from './Notice'

interface Props {
  title?: string
  onRetry: () => void
}

export function Retry({ title = 'This did not load', onRetry }: Props) {
  return (
    <Notice title={title} isAlert>
      <p>
        The connection or the site failed for a moment. What you were looking for is still there.
      </p>
      <Button look="outline" onClick={onRetry}>
        Try again
      </Button>
    </Notice>
  )
}
