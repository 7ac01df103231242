import type { ReactNode } from 'react'
import styles from './Detail.module.css'
import { Skeleton } from './Skeleton'

interface Props {
  name: string
  /** What it is, above its name. */
  kicker?: ReactNode
  /** A sentence of it, below its name. */
  deck?: string | undefined
  picture: ReactNode
  /** What is known of it: beside the text, and below the picture on a small screen. */
  side?: ReactNode
  children: ReactNode
}

/** The page of one thing that has a picture, facts and a text. */
export function Detail({ name, kicker, deck, picture, side, children }: Props) {
  return (
    <article>
      <header className={styles.head}>
        {kicker && <p className={styles.kicker}>{kicker}</p>}
        <h1 className={styles.name}>{name}</h1>
        {deck && <p className={styles.deck}>{deck}</p>}
      </header>
      <div className={styles.columns}>
        <div className={styles.picture}>{picture}</div>
        {side && <div className={styles.side}>{side}</div>}
        <div className={styles.story}>{children}</div>
      </div>
    </article>
  )
}

/** Its shape while it is on its way. */
export function DetailSkeleton({ what }: { what: string }) {
  return (
    <div role="status" aria-label={`Loading ${what}`}>
      <div className={styles.head}>
        <Skeleton width="10rem" height="1rem" />
        <br />
        <Skeleton width="70%" height="4rem" />
        <br />
        <Skeleton width="50%" height="1.5rem" />
      </div>
      <div className={styles.columns}>
        <div className={styles.picture}>
          <Skeleton ratio="3 / 2" />
        </div>
        <div className={styles.side}>
          <Skeleton height="18rem" />
        </div>
        <div className={styles.story}>
          <Skeleton height="12rem" />
        </div>
      </div>
    </div>
  )
}
