import { Notice } from '#/ui/Notice'

/** Replaces a map whose code did not load. */
export function MapFailed() {
  return (
    <Notice title="The map did not load" isAlert>
      <p>Reload the page to try again, or follow the link below.</p>
    </Notice>
  )
}
