import { grouped } from '#/lib/words'
import styles from './Stars.module.css'

const STARS = 5
const STAR = '★'

interface Props {
  /** The mean, 0 to 5. */
  rating: number
  voters: number
  /** For cards and lists: smaller, and only screen readers get the word "votes". */
  isSmall?: boolean
}

/** A mean of votes as stars, rounded to halves, and as numbers. */
export function Stars({ rating, voters, isSmall = false }: Props) {
  const halves = Math.round(rating * 2)
  return (
    <span className={`${styles.rating} ${isSmall ? styles.small : ''}`.trim()}>
      <span className={styles.stars} aria-hidden="true">
        <span className={`${styles.full} ${halves % 2 ? styles.half : ''}`.trim()}>
          {STAR.repeat(Math.floor(halves / 2))}
        </span>
        {STAR.repeat(STARS)}
      </span>
      <span>
        <span className="visually-hidden">Rated </span>
        {/* The server rounds in the same way; toFixed alone would round 4.35 down. */}
        {(Math.round(rating * 10) / 10).toFixed(1)}
        <span className="visually-hidden"> of {STARS}</span>
        <span className={styles.votes}>
          {` (${grouped(voters)}`}
          <span className={isSmall ? 'visually-hidden' : undefined}>
            {voters === 1 ? ' vote' : ' votes'}
          </span>
          )
        </span>
      </span>
    </span>
  )
}
