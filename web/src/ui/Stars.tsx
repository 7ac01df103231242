import { grouped } from '#/lib/words'
import styles from './Stars.module.css'

const STARS = 5

interface Props {
  /** The mean, 0 to 5. */
  rating: number
  voters: number
}

/** A mean of votes as stars and numbers. */
export function Stars({ rating, voters }: Props) {
  const votes = voters === 1 ? '1 vote' : `${grouped(voters)} votes`
  return (
    <span className={styles.rating}>
      <span className={styles.stars} aria-hidden="true">
        <span className={styles.full} style={{ width: `${(rating / STARS) * 100}%` }}>
          ★★★★★
        </span>
        ★★★★★
      </span>
      <span>
        <span className="visually-hidden">Rated </span>
        {rating.toFixed(1)}
        <span className="visually-hidden"> of {STARS}</span>
        <span className={styles.votes}>{` (${votes})`}</span>
      </span>
    </span>
  )
}
