import { useInfiniteQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { AdPage } from '#/features/ads/AdPage'
import { AdSpot } from '#/features/ads/AdSpot'
import { ArticleCard } from '#/features/articles/ArticleCard'
import { ARTICLES, ORDERINGS } from '#/features/articles/queries'
import {
  LEAD_AND_SECONDS,
  ArticlesLead,
  ArticlesLeadSkeleton,
} from '#/features/articles/ArticlesLead'
import { SortedGrid } from '#/features/grid/SortedGrid'
import { PageTitle } from '#/features/site/PageTitle'
import { pagesQuery } from '#/lib/api-queries'
import { useIsOnline } from '#/lib/online'

interface Props {
  slug: string
  name: string
}

/** The section whose page lists the articles of all sections (`ALL_ARTICLES` in `services/site`). */
const ALL_ARTICLES = 'news'

/** A section of articles, or of all sections: the lead articles, and the others in a grid. */
export function SectionPage({ slug, name }: Props) {
  const hasAll = slug === ALL_ARTICLES
  const fixed = useMemo(() => (hasAll ? {} : { section: slug }), [hasAll, slug])
  const isOnline = useIsOnline()
  // The same query as the grid's first page, so the lead articles cost no extra request.
  const newest = useInfiniteQuery(pagesQuery(ARTICLES, { ...fixed, ordering: ORDERINGS[0].value }))
  const front = newest.data?.pages[0]?.results.slice(0, LEAD_AND_SECONDS) ?? []

  return (
    <AdPage about={{ page: 'section', section: slug }}>
      <PageTitle page={name} />
      <SortedGrid
        title={name}
        unit={['article', 'articles']}
        path={ARTICLES}
        fixed={fixed}
        orderings={ORDERINGS}
        above={
          newest.isPending ? (
            isOnline && <ArticlesLeadSkeleton />
          ) : (
            <>
              <ArticlesLead isInItsSection={!hasAll} articles={front} />
              <AdSpot at="lead" />
            </>
          )
        }
        shownAbove={new Set(front.map((article) => article.id))}
      >
        {(article) => <ArticleCard article={article} isInItsSection={!hasAll} />}
      </SortedGrid>
      <AdSpot at="end" />
    </AdPage>
  )
}
