import { useRef, type ReactNode } from 'react'
import { setTransitionSource } from '#/lib/view-transition'
import { SiteLink } from './SiteLink'
import styles from './Card.module.css'

export interface CardProps {
  name: string
  href: string
  picture: ReactNode
  /** A link or a word above the name. */
  kicker?: ReactNode
  /** A remark beside the kicker: closed, sold out. */
  note?: string | undefined
  /** A sentence above the name, larger than the name. */
  sentence?: string | undefined
  /** A sentence below the name. */
  deck?: string | undefined
  /** Whether the deck is never cut. */
  hasWholeDeck?: boolean
  /** Stars, below the name. */
  rating?: ReactNode
  /** When or where, below the name. */
  meta?: ReactNode
  /** The size and layout of the card. */
  look?: 'card' | 'cover' | 'lead' | 'second' | 'line'
  heading?: 'h2' | 'h3'
  /** A control, such as a heart. */
  action?: ReactNode
}

/** An item in a grid or on a front page; the whole card links to the item's page. */
export function Card({
  name,
  href,
  picture,
  kicker,
  note,
  sentence,
  deck,
  hasWholeDeck = false,
  rating,
  meta,
  look = 'card',
  heading: Heading = 'h3',
  action,
}: CardProps) {
  const frame = useRef<HTMLDivElement>(null)
  return (
    <article className={`${styles.card} ${styles[look]}`}>
      <div className={styles.picture} ref={frame}>
        {picture}
      </div>
      <div className={styles.text}>
        {(kicker || note) && (
          <p className={styles.kicker}>
            {kicker && <span>{kicker}</span>}
            {note && <span className={styles.note}>{note}</span>}
          </p>
        )}
        {sentence && <p className={styles.sentence}>{sentence}</p>}
        <Heading className={styles.name}>
          <SiteLink
            className={styles.link}
            href={href}
            onClick={() => setTransitionSource(frame.current)}
          >
            {name}
          </SiteLink>
        </Heading>
        {deck && (
          <p className={`${styles.deck} ${hasWholeDeck ? styles.whole : ''}`.trim()}>{deck}</p>
        )}
        {rating}
        {meta && <p className={styles.meta}>{meta}</p>}
      </div>
      {action && <div className={styles.action}>{action}</div>}
    </article>
  )
}
