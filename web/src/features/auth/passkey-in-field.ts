import { useEffect, useEffectEvent } from 'react'
import type { CeremonyAnswer } from '#/api/types'
import { debug } from '#/lib/log'
import { askNoMore, offersPasskeysInFields, signWithPasskey } from './passkeys'

/** The server takes an answer for five minutes, so the browser is asked anew before. */
const ASK_AGAIN_MS = 4 * 60_000

/**
 * While it is on, the browser offers the reader's passkeys for the email field. A browser asks one question at
 * a time, so another question ends this one; with another `round` it is asked again.
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
      const answer = await signWithPasskey('field')
      ended.signal.throwIfAborted()
      answered(answer)
    }
    const offer = (): void => {
      ask().catch((error: unknown) => debug('No passkey from the email field', error))
    }
    offer()
    const timer = setInterval(offer, ASK_AGAIN_MS)
    return () => {
      ended.abort()
      clearInterval(timer)
      askNoMore()
    }
  }, [isOn, round])
}
