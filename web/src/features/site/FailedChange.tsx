import { useSyncExternalStore } from 'react'
import { toast } from '#/lib/toast'
import { Toast } from '#/ui/Toast'

/** The latest change that was not saved. */
export function FailedChange() {
  const shown = useSyncExternalStore(toast.subscribe, toast.get)
  if (!shown) return null
  const close = (): void => toast.set(null)
  return (
    <Toast
      message={shown.message}
      onRetry={() => {
        close()
        shown.retry()
      }}
      onClose={close}
    />
  )
}
