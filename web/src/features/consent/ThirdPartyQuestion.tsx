import { useLayoutEffect, useRef, type ReactNode } from 'react'
import { useSite } from '#/features/site/site'
import { useConsent } from './consent'
import styles from './ThirdPartyQuestion.module.css'

interface Props {
  /** What comes from whom: "The streets come from maps.example". */
  what: string
  /** Loads this one thing. */
  once: ReactNode
  /** Loads it, and all that belongs to other companies from now on. */
  always: ReactNode
  /** Whether it answers a click, and the keyboard goes on from it. */
  takesFocus?: boolean
}

/**
 * Stands where content of another company would, until the reader allows it, and asks whether to load it. The
 * answer counts for this one thing or, if the reader says so, for all; a browser that refuses for all asks each time.
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
