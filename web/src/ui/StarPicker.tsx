import { useRef, useState, type KeyboardEvent } from 'react'
import { starsInWords } from '#/lib/words'
import { StarIcon } from './icons'
import styles from './StarPicker.module.css'

const STARS = [1, 2, 3, 4, 5] as const
const LAST = STARS.length

interface Props {
  /** The purpose of the stars: "Your rating of The Streetcar Loop". */
  label: string
  /** The chosen stars; null for none. */
  value: number | null
  onPick: (stars: number) => void
}

/** The star that an arrow key moves to; undefined for any other key. */
function starAfterKey(key: string, star: number): number | undefined {
  if (key === 'ArrowRight' || key === 'ArrowDown') return star === LAST ? 1 : star + 1
  if (key === 'ArrowLeft' || key === 'ArrowUp') return star === 1 ? LAST : star - 1
  if (key === 'Home') return 1
  if (key === 'End') return LAST
  return undefined
}

/**
 * Five stars to choose from. The mouse and the arrow keys only highlight them; a click, a tap,
 * Enter or the space bar chooses.
 */
export function StarPicker({ label, value, onPick }: Props) {
  const frame = useRef<HTMLDivElement>(null)
  const [preview, setPreview] = useState<number | null>(null)
  const shown = preview ?? value ?? 0

  const onKeyDown = (event: KeyboardEvent, star: number): void => {
    const next = starAfterKey(event.key, star)
    if (next !== undefined) {
      event.preventDefault()
      setPreview(next)
      frame.current?.querySelectorAll('button')[next - 1]?.focus()
    } else if (event.key === 'Escape' && preview !== null) {
      event.stopPropagation()
      setPreview(null)
    }
  }

  return (
    <div
      ref={frame}
      role="radiogroup"
      aria-label={label}
      className={styles.stars}
      onPointerLeave={() => setPreview(null)}
      onBlur={(event) => {
        if (!event.currentTarget.contains(event.relatedTarget)) setPreview(null)
      }}
    >
      {STARS.map((star) => (
        <button
          key={star}
          type="button"
          role="radio"
          aria-checked={star === value}
          aria-label={starsInWords(star)}
          tabIndex={star === (shown || 1) ? 0 : -1}
          className={styles.star}
          data-on={star <= shown || undefined}
          // A finger cannot hover: its tap chooses.
          onPointerEnter={(event) => event.pointerType === 'mouse' && setPreview(star)}
          onKeyDown={(event) => onKeyDown(event, star)}
          onClick={() => {
            setPreview(null)
            onPick(star)
          }}
        >
          <StarIcon className={styles.icon} />
        </button>
      ))}
    </div>
  )
}
