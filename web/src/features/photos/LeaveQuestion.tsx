import { useRouter } from '@tanstack/react-router'
import { useEffect, useEffectEvent, useState } from 'react'
import { Button } from '#/ui/Button'
import { Dialog } from '#/ui/Dialog'
import styles from './LeaveQuestion.module.css'

interface Props {
  /** Whether uploads are running; pass the same function at every render. */
  isBusy: () => boolean
}

/** Asks before the reader leaves the page while photos are being uploaded. */
export function LeaveQuestion({ isBusy }: Props) {
  const { history } = useRouter()
  const [answer, setAnswer] = useState<{ give: (isBlocked: boolean) => void } | null>(null)

  const ask = useEffectEvent((): boolean | Promise<boolean> => {
    if (answer === null) return new Promise((resolve) => setAnswer({ give: resolve }))
    // Back closes the open question and stays.
    setAnswer(null)
    return true
  })
  // The router's own hook would be part of the first scripts of every page.
  useEffect(
    () =>
      history.block({
        blockerFn: () => isBusy() && ask(),
        enableBeforeUnload: isBusy,
      }),
    [history, isBusy],
  )
  const give = (isBlocked: boolean): void => {
    answer?.give(isBlocked)
    setAnswer(null)
  }

  return (
    <Dialog
      isQuestion
      isOpen={answer !== null}
      onClose={() => give(true)}
      title="Leave while photos are on their way?"
    >
      <p className={styles.text}>What has not been sent is cancelled.</p>
      <div className={styles.actions}>
        <Button onClick={() => give(true)}>Stay</Button>
        <Button look="outline" onClick={() => give(false)}>
          Leave
        </Button>
      </div>
    </Dialog>
  )
}
