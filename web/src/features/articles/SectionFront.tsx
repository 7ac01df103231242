import type { Article } from '#/api/types'
import { Skeleton } from '#/ui/Skeleton'
import { ArticleCard } from './ArticleCard'
import styles from './SectionFront.module.css'

/** How many articles a section's front takes: the lead and its seconds. */
export const FRONT = 4

interface Props {
  articles: readonly Article[]
  isInItsSection?: boolean
}

/** How a section or a front page opens: the newest large, the next ones beside it. */
export function SectionFront({ articles: [lead, ...seconds], isInItsSection = false }: Props) {
  if (!lead) return null
  return (
    <div className={styles.front}>
      <ArticleCard
        article={lead}
        look="lead"
        heading="h2"
        isInItsSection={isInItsSection}
        isFirst
      />
      {seconds.length > 0 && (
        <ul className={styles.seconds}>
          {seconds.map((article) => (
            <li key={article.id}>
              <ArticleCard
                article={article}
                look="second"
                heading="h2"
                isInItsSection={isInItsSection}
                isFirst
              />
            </li>
          ))}
        </ul>
      )}
    </div>
  )
}

export function SectionFrontSkeleton() {
  return (
    <div className={styles.front} role="status" aria-label="Loading the front">
      <div>
        <Skeleton ratio="3 / 2" />
        <br />
        <Skeleton width="90%" height="4rem" />
        <br />
        <Skeleton width="60%" height="2rem" />
      </div>
      <div className={styles.seconds}>
        {[0, 1, 2].map((index) => (
          <Skeleton key={index} height="8rem" />
        ))}
      </div>
    </div>
  )
}
