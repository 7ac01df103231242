import type { Article } from '#/api/types'
import { Front, FrontSkeleton } from '#/ui/Front'
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
  const shared = { heading: 'h2', isInItsSection, isFirst: true } as const
  return (
    <div className={styles.front}>
      <Front
        isEven
        lead={<ArticleCard article={lead} look="lead" {...shared} />}
        seconds={seconds.map((article) => (
          <li key={article.id}>
            <ArticleCard article={article} look="second" {...shared} />
          </li>
        ))}
      />
    </div>
  )
}

export function SectionFrontSkeleton() {
  return (
    <div className={styles.front}>
      <FrontSkeleton isEven />
    </div>
  )
}
