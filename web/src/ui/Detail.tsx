import type { ReactNode } from 'react'
import { Bleed } from './Bleed'
import styles from './Detail.module.css'
import { Headline } from './Headline'
import { Skeleton } from './Skeleton'

interface Props {
  name: string
  /** A link or a word above the name. */
  kicker?: ReactNode
  /** A sentence below the name. */
  deck?: string | undefined
  /** Larger, for a place. */
  isLarge?: boolean
  picture: ReactNode
  /** Share links, in the space below the headline. */
  share: ReactNode
  /** Facts beside the text, or below the picture on a small screen. */
  side?: ReactNode
  /** Below the facts. */
  below?: ReactNode
  children: ReactNode
}

/** The page of an item with a picture, facts and a text. */
export function Detail({ picture, share, side, below, children, ...headline }: Props) {
  return (
    <article>
      <header className={styles.head}>
        <Headline {...headline} />
        <div className={styles.share}>{share}</div>
      </header>
      <div className={styles.columns}>
        <div className={styles.picture}>
          <Bleed>{picture}</Bleed>
        </div>
        {side && (
          <div className={styles.side}>
            <div className={styles.facts}>{side}</div>
            {below}
          </div>
        )}
        <div className={styles.story}>{children}</div>
      </div>
    </article>
  )
}

/** The page's skeleton while it loads. */
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
          <Bleed>
            <Skeleton ratio="3 / 2" />
          </Bleed>
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
