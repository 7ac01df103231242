import { useEffect, useEffectEvent } from 'react'
import type { CeremonyAnswer } from '#/api/types'
import { debug } from '#/lib/log'
import { cancelPasskeyPrompt, offersPasskeysInFields, requestPasskey } from './passkeys'

/** The request is renewed before the server's challenge expires, after five minutes. */
const RENEW_AFTER_MS = 4 * 60_000

/**
 * While `isOn`, the browser offers the reader's passkeys in the email field. A browser has one passkey request at a
 * time, so another request ends this one; a new `round` starts it again.
 */
export function usePasskeyInField(
  isOn: boolean,
  round: number,
  onAnswer: (answer: CeremonyAnswer) => void,
): void {
  const answered = useEffectEvent(onAnswer)
  useEffect(() => {
    if (!isOn) return
    const ended = new AbortController()
    const ask = async (): Promise<void> => {
      if (!(await offersPasskeysInFields()) || ended.signal.aborted) return
      const answer = await requestPasskey('field')
      ended.signal.throwIfAborted()
      answered(answer)
    }
    const offer = (): void => {
      ask().catch((error: unknown) =>
        debug('The browser’s passkey prompt in the email field failed', error),
      )
    }
    offer()
    const timer = setInterval(offer, RENEW_AFTER_MS)
    return () => {
      ended.abort()
      clearInterval(timer)
      cancelPasskeyPrompt()
    }
  }, [isOn, round])
}
