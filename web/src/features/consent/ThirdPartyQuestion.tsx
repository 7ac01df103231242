import { useLayoutEffect, useRef, type ReactNode } from 'react'
import { useSite } from '#/features/site/site'
import { useConsent } from './consent'
import styles from './ThirdPartyQuestion.module.css'

interface Props {
  /** The content and its source: "The streets come from maps.example". */
  what: string
  /** The button that loads only this content. */
  once: ReactNode
  /** The button that also allows all third-party content. */
  always: ReactNode
  /** Whether the question gets the focus, because it replaces a control that the reader has used. */
  takesFocus?: boolean
}

/**
 * Replaces content of another company until the reader allows it, and asks whether to load it: once, or with all other
 * third-party content. If the browser sends a refusal, the question returns each time.
 */
export function ThirdPartyQuestion({ what, once, always, takesFocus = false }: Props) {
  const { wording } = useSite().consent
  const { signal } = useConsent()
  const question = useRef<HTMLDivElement>(null)

  useLayoutEffect(() => {
    if (takesFocus) question.current?.focus()
  }, [takesFocus])

  return (
    <div className={styles.question} role="group" aria-label={what} tabIndex={-1} ref={question}>
      <p>{what}, which then learns your network address and may recognise you.</p>
      <div className={styles.answers}>
        {once}
        {signal === null && always}
      </div>
      <p className={styles.note}>
        {signal === null
          ? `Always: ${wording}`
          : `Your browser asks us not to share what you do (${signal}), so we ask each time.`}
      </p>
    </div>
  )
}
