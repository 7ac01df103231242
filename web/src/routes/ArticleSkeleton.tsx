import { Bleed } from '#/ui/Bleed'
import { Placeholder } from '#/ui/Placeholder'
import { Skeleton } from '#/ui/Skeleton'
import styles from './article.module.css'

export function ArticleSkeleton() {
  return (
    <Placeholder what="the article">
      <div className={styles.head}>
        <div>
          <Skeleton width="6rem" height="1rem" />
          <br />
          <Skeleton width="95%" height="9rem" />
          <br />
          <Skeleton width="80%" height="3rem" />
        </div>
        <div className={styles.picture}>
          <Bleed>
            <Skeleton ratio="3 / 2" />
          </Bleed>
        </div>
      </div>
      <div className={styles.columns}>
        <div className={styles.side}>
          <Skeleton width="60%" height="4rem" />
        </div>
        <div className={styles.story}>
          <StorySkeleton />
        </div>
      </div>
    </Placeholder>
  )
}

export function StorySkeleton() {
  return (
    <div className={styles.lines}>
      {['100%', '96%', '99%', '92%', '97%', '60%'].map((width) => (
        <Skeleton key={width} width={width} height="1.1rem" />
      ))}
    </div>
  )
}
