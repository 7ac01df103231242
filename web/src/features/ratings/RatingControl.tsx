import { useEffect, useId, useRef, useState, type KeyboardEvent, type ReactNode } from 'react'
import type { Listing } from '#/api/types'
import { openLogin } from '#/features/auth/dialogs'
import { session } from '#/features/session/current'
import { starsInWords } from '#/lib/words'
import { announce } from '#/ui/Announcer'
import { Button } from '#/ui/Button'
import { StarPicker } from '#/ui/StarPicker'
import styles from './RatingControl.module.css'
import { useRating } from './use-rating'

interface Props {
  place: Pick<Listing, 'id' | 'name'>
  /**
   * A block with a line of text whose space is always reserved; or only the stars, with the
   * question in a bubble above them, as wide as the nearest positioned element.
   */
  look: 'block' | 'bare'
  /** The stars of a listed rating, shown until the reader's map is loaded. */
  listed?: number
}

/** The stars with which a reader rates a place, changes the rating and removes it. */
export function RatingControl({ place: { id, name }, look, listed }: Props) {
  const { stars: own, isThanked, confirm, remove } = useRating(id)
  const stars = own ?? listed ?? null
  const [asked, setAsked] = useState<number | null>(null)
  const frame = useRef<HTMLDivElement>(null)
  const firstButton = useRef<HTMLButtonElement>(null)
  const question = useId()

  // The question gets the focus.
  useEffect(() => {
    if (asked !== null) firstButton.current?.focus({ preventScroll: true })
  }, [asked])

  // When the focused button disappears, the focus moves to the stars.
  const hasAnswered = useRef(false)
  useEffect(() => {
    if (!hasAnswered.current) return
    hasAnswered.current = false
    if (document.activeElement !== document.body) return
    frame.current?.querySelector<HTMLElement>('[role="radio"][tabindex="0"]')?.focus()
  })

  const answer = (): void => {
    hasAnswered.current = true
    setAsked(null)
  }

  const pick = (picked: number): void => {
    // The rating stays as it is, so there is nothing to confirm. The bubble offers its removal.
    if (picked === stars) {
      setAsked(look === 'bare' ? picked : null)
      return
    }
    if (session.state.get().status !== 'guest') setAsked(picked)
    void session.settled().then(({ status }) => {
      if (status === 'member') return
      setAsked(null)
      openLogin({ post_authenticate_action: 'rating', object_id: id, rating: picked })
    })
  }

  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key !== 'Escape' || asked === null) return
    event.stopPropagation()
    answer()
  }

  const removal = stars !== null && (
    <Button
      look="quiet"
      className={styles.button}
      aria-label={`Remove your rating of ${name}`}
      onClick={() => {
        answer()
        remove()
      }}
    >
      Remove
    </Button>
  )

  let line: ReactNode = null
  if (asked !== null) {
    const isGiven = asked === stars
    line = (
      <div role="group" aria-labelledby={question} className={styles.line} data-asks>
        <span id={question}>
          {isGiven
            ? `You gave it ${starsInWords(stars)}.`
            : stars === null
              ? `Confirm ${asked} star rating:`
              : `Edit to ${asked} star rating:`}
        </span>
        <span className={styles.answers}>
          {!isGiven && (
            <Button
              ref={firstButton}
              className={styles.button}
              onClick={() => {
                answer()
                confirm(asked)
                announce('Thanks for rating!')
              }}
            >
              Confirm
            </Button>
          )}
          <Button
            ref={isGiven ? firstButton : undefined}
            look="quiet"
            className={styles.button}
            onClick={answer}
          >
            Cancel
          </Button>
          {look === 'bare' && removal}
        </span>
      </div>
    )
  } else if (isThanked) {
    line = (
      <p className={styles.line} data-asks>
        Thanks for rating!
      </p>
    )
  } else if (look === 'block') {
    line = (
      <div className={styles.line}>
        <span>
          {stars === null ? 'Pick a star to rate it.' : `You gave it ${starsInWords(stars)}.`}
        </span>
        {removal}
      </div>
    )
  }

  return (
    <div
      ref={frame}
      role="presentation"
      className={styles[look]}
      data-saves={`rating/${id}`}
      onKeyDown={onKeyDown}
    >
      {look === 'block' && <span className={styles.label}>Your rating</span>}
      <StarPicker label={`Your rating of ${name}`} value={asked ?? stars} onPick={pick} />
      {line}
    </div>
  )
}
