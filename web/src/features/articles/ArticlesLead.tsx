import type { Article } from '#/api/types'
import { LeadAndSeconds, LeadAndSecondsSkeleton } from '#/ui/LeadAndSeconds'
import { ArticleCard } from './ArticleCard'
import styles from './ArticlesLead.module.css'

/** The number of articles at the top of a section: the lead and the articles beside it. */
export const LEAD_AND_SECONDS = 4

interface Props {
  articles: readonly Article[]
  isInItsSection?: boolean
}

/** The top of a section or a front page: the newest article as the lead, the next articles beside it. */
export function ArticlesLead({ articles: [lead, ...seconds], isInItsSection = false }: Props) {
  if (!lead) return null
  const shared = { heading: 'h2', isInItsSection } as const
  return (
    <div className={styles.front}>
      <LeadAndSeconds
        isEven
        lead={<ArticleCard article={lead} look="cover" {...shared} isFirst />}
        seconds={seconds.map((article) => (
          <li key={article.id}>
            <ArticleCard article={article} look="second" {...shared} />
          </li>
        ))}
      />
    </div>
  )
}

export function ArticlesLeadSkeleton() {
  return (
    <div className={styles.front}>
      <LeadAndSecondsSkeleton isEven />
    </div>
  )
}
