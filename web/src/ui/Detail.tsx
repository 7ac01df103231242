import type { ReactNode } from 'react'
import { Bleed } from './Bleed'
import styles from './Detail.module.css'
import { Headline } from './Headline'
import { Placeholder } from './Placeholder'
import { Skeleton } from './Skeleton'

interface Props {
  name: string
  /** A link or a word above the name. */
  kicker?: ReactNode
  /** A sentence below the name. */
  deck?: string | undefined
  /** Facts below the headline. */
  strip?: ReactNode
  /** Larger, for a place. */
  isLarge?: boolean
  picture: ReactNode
  /** Share links, below the text. */
  share: ReactNode
  /** Facts beside the text; above or below it on a small screen. */
  side: ReactNode
  /** Below the facts. */
  below?: ReactNode
  /** Whether the text precedes the facts on a small screen. */
  isStoryFirst?: boolean
  children: ReactNode
}

/** The page of an item with a picture, facts and a text. */
export function Detail({
  strip,
  picture,
  share,
  side,
  below,
  isStoryFirst = false,
  children,
  ...headline
}: Props) {
  const facts = (
    <div className={styles.side}>
      <div className={styles.facts}>{side}</div>
      {below}
    </div>
  )
  return (
    <article>
      <header className={styles.head}>
        <Headline {...headline} />
        {strip}
      </header>
      <div className={styles.columns}>
        <div className={styles.picture}>
          <Bleed>{picture}</Bleed>
        </div>
        {!isStoryFirst && facts}
        <div className={styles.story}>
          {children}
          {share}
        </div>
        {isStoryFirst && facts}
      </div>
    </article>
  )
}

/** The page's skeleton while it loads. */
export function DetailSkeleton({ what }: { what: string }) {
  return (
    <Placeholder what={what}>
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
    </Placeholder>
  )
}
