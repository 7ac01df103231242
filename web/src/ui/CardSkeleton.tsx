import type { CardProps } from './Card'
import { Skeleton } from './Skeleton'
import styles from './Card.module.css'

interface Props {
  look?: Extract<CardProps['look'], 'card' | 'line'>
  /** The ratio of the picture, or of the time that replaces it. */
  ratio?: string
  nameLines?: 1 | 2
  /** The parts of the card. */
  hasKicker?: boolean
  deckLines?: number
  hasMeta?: boolean
  /** Two controls, one below the other. */
  hasControls?: boolean
}

/** The skeleton of a card. */
function CardSkeleton({
  look = 'card',
  ratio = '3 / 2',
  nameLines = 2,
  hasKicker = false,
  deckLines = 0,
  hasMeta = false,
  hasControls = false,
}: Props) {
  return (
    <div className={`${styles.card} ${styles[look]}`}>
      <Skeleton ratio={ratio} />
      <div className={styles.text}>
        {hasKicker && (
          <p className={styles.kicker}>
            <Skeleton width="35%" height="1lh" />
          </p>
        )}
        <p className={styles.name}>
          <Skeleton width="80%" height={`${nameLines}lh`} />
        </p>
        {deckLines > 0 && (
          <p className={styles.deck}>
            <Skeleton height={`${deckLines}lh`} />
          </p>
        )}
        {hasMeta && (
          <p className={styles.meta}>
            <Skeleton width="50%" height="1lh" />
          </p>
        )}
      </div>
      {hasControls && <Skeleton width="var(--target)" height="calc(2 * var(--target))" />}
    </div>
  )
}

/** Reserves the space of a row of cards while they load. */
export function CardSkeletons({ count, ...card }: Props & { count: number }) {
  return Array.from({ length: count }, (_, index) => <CardSkeleton key={index} {...card} />)
}
