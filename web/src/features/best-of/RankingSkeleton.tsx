import { Placeholder } from '#/ui/Placeholder'
import { Skeleton } from '#/ui/Skeleton'
import styles from './Ranking.module.css'

/** A best-of list's title and first places while the list loads. */
export function RankingSkeleton() {
  return (
    <Placeholder what="the list">
      <br />
      <Skeleton width="70%" height="4rem" />
      <div className={styles.ranking}>
        {[1, 2, 3].map((rank) => (
          <div key={rank} className={styles.entry}>
            <Skeleton ratio="3 / 2" />
            <div>
              <Skeleton width="60%" height="2.5rem" />
              <br />
              <Skeleton height="6rem" />
            </div>
          </div>
        ))}
      </div>
    </Placeholder>
  )
}
