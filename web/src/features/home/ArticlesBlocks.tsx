import { useQuery } from '@tanstack/react-query'
import type { Article } from '#/api/types'
import { ArticleCard } from '#/features/articles/ArticleCard'
import { articleRowOptions } from '#/features/articles/queries'
import {
  LEAD_AND_SECONDS,
  ArticlesLead,
  ArticlesLeadSkeleton,
} from '#/features/articles/ArticlesLead'
import { Pair } from '#/features/grid/Pair'
import { Shelf } from '#/features/grid/Shelf'
import { useSite } from '#/features/site/site'
import { Retry } from '#/ui/Retry'
import { BlockSection, type BlockProps } from './BlockSection'
import { RowRoom, SHELF } from './RowRoom'

/** The newest articles, as the page's lead block or as a row. */
export function LeadBlock({ block, isFirst }: BlockProps) {
  const row = useQuery(articleRowOptions(undefined, block.limit))
  if (!isFirst) return <ArticlesBlock block={block} isFirst={isFirst} />
  if (row.isPending) return <ArticlesLeadSkeleton />
  if (row.isError) {
    return <Retry title="The front page did not load" onRetry={() => void row.refetch()} />
  }
  const rest = row.data.slice(LEAD_AND_SECONDS)
  return (
    <>
      <ArticlesLead articles={row.data.slice(0, LEAD_AND_SECONDS)} />
      {rest.length > 0 && <Articles articles={rest.slice(0, SHELF)} />}
    </>
  )
}

/** The newest articles of a section, or of all, without those in the lead block. */
export function ArticlesBlock({ block }: BlockProps) {
  const shown = useShown()
  const wanted = block.limit + shown.size
  const row = useQuery(articleRowOptions(block.section ?? undefined, wanted))
  // A row that fails or is empty is left out; the section's own page offers a retry.
  if (row.isError) return null
  const articles = (row.data ?? []).filter((article) => !shown.has(article.id))
  if (row.isSuccess && articles.length === 0) return null
  return (
    <BlockSection block={block} isBusy={row.isPending}>
      {row.isPending ? (
        <RowRoom limit={block.limit} />
      ) : (
        <Articles
          articles={articles.slice(0, block.limit)}
          isInItsSection={block.section != null}
        />
      )}
    </BlockSection>
  )
}

interface ArticlesProps {
  articles: readonly Article[]
  isInItsSection?: boolean
}

/** The articles in the lead block. */
function useShown(): ReadonlySet<number> {
  const opening = useSite().home[0]
  const opensWithArticles = opening?.kind === 'lead'
  const limit = opening?.limit ?? 1
  const lead = useQuery({ ...articleRowOptions(undefined, limit), enabled: opensWithArticles })
  return new Set(opensWithArticles ? lead.data?.map((article) => article.id) : [])
}

/** A row of up to four; with more, a lead and an index of the others. */
function Articles({ articles, isInItsSection = false }: ArticlesProps) {
  const [first, ...others] = articles
  if (first && articles.length > SHELF) {
    return (
      <Pair first={<ArticleCard article={first} isInItsSection={isInItsSection} />}>
        {others.map((article) => (
          <li key={article.id}>
            <ArticleCard article={article} isInItsSection={isInItsSection} look="line" />
          </li>
        ))}
      </Pair>
    )
  }
  return (
    <Shelf>
      {articles.map((article) => (
        <li key={article.id}>
          <ArticleCard article={article} isInItsSection={isInItsSection} />
        </li>
      ))}
    </Shelf>
  )
}
