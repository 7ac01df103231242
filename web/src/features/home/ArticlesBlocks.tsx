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
import { Loaded } from '#/ui/Loaded'
import { BlockSection, type BlockProps } from './BlockSection'
import { RowSkeleton, SHELF } from './RowSkeleton'

/** The newest articles, as the page's lead block or as a row. */
export function LeadBlock({ block, isFirst }: BlockProps) {
  const row = useQuery(articleRowOptions(undefined, block.limit))
  if (!isFirst) return <ArticlesBlock block={block} isFirst={isFirst} />
  return (
    <Loaded query={row} skeleton={<ArticlesLeadSkeleton />} failure="The front page did not load">
      {(articles) => (
        <>
          <ArticlesLead articles={articles.slice(0, LEAD_AND_SECONDS)} />
          {articles.length > LEAD_AND_SECONDS && (
            <Articles articles={articles.slice(LEAD_AND_SECONDS, LEAD_AND_SECONDS + SHELF)} />
          )}
        </>
      )}
    </Loaded>
  )
}

/** The newest articles of a section, or of all sections, without the articles in the lead block. */
export function ArticlesBlock({ block }: BlockProps) {
  const shown = useArticlesInLead()
  const wanted = block.limit + shown.size
  const row = useQuery(articleRowOptions(block.section ?? undefined, wanted))
  // A row that failed to load is omitted; the section's own page offers a retry.
  if (row.isError) return null
  const articles = (row.data ?? []).filter((article) => !shown.has(article.id))
  if (row.isSuccess && articles.length === 0) return null
  return (
    <BlockSection block={block} isBusy={row.isPending}>
      {row.isPending ? (
        <RowSkeleton limit={block.limit} />
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
function useArticlesInLead(): ReadonlySet<number> {
  const opening = useSite().home[0]
  const opensWithArticles = opening?.kind === 'lead'
  const limit = opening?.limit ?? 1
  const lead = useQuery({ ...articleRowOptions(undefined, limit), enabled: opensWithArticles })
  return new Set(opensWithArticles ? lead.data?.map((article) => article.id) : [])
}

/** A row of up to four; with more articles, a lead and an index of the others. */
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
