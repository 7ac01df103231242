import { useQuery } from '@tanstack/react-query'
import { SortedGrid } from '#/features/grid/SortedGrid'
import { PageTitle } from '#/features/site/PageTitle'
import { formatDate, formatMonth } from '#/lib/time'
import { SiteLink } from '#/ui/SiteLink'
import { wholeMonth, type ArchiveFilter } from './archive-address'
import { ArticleCard } from './ArticleCard'
import styles from './ArchiveGrid.module.css'
import { ARTICLES, filterNameOptions, ORDERINGS } from './queries'

interface Props {
  filter: ArchiveFilter
}

/** The articles that match the filters: author, tag and period. */
export function ArchiveGrid({ filter }: Props) {
  const author = useName('author', filter.author)
  const tag = useName('tag', filter.tag)
  const time = timeOf(filter)
  const title = author ?? tag ?? time ?? 'Archives'
  const narrowed = [author && `by ${author}`, tag && `about ${tag}`, time && `from ${time}`]
  const parts = narrowed.filter(Boolean)

  return (
    <>
      <PageTitle page={title} />
      <SortedGrid
        title={title}
        kicker={<SiteLink href="/archives/">Archives</SiteLink>}
        intro={
          parts.length > 0 && (
            <p className={styles.only}>
              Only articles {parts.join(', ')}.{' '}
              <SiteLink href="/archives/">Show everything</SiteLink>
            </p>
          )
        }
        unit={['article', 'articles']}
        onward={{ href: '/archives/', label: 'All months' }}
        path={ARTICLES}
        fixed={{ ...filter }}
        orderings={ORDERINGS}
      >
        {(article) => <ArticleCard article={article} />}
      </SortedGrid>
    </>
  )
}

/** The display name of a slug; until it is known, the words of the slug. */
function useName(filter: 'author' | 'tag', slug: string | undefined): string | undefined {
  const name = useQuery(filterNameOptions(filter, slug))
  return slug && (name.data ?? slug.replaceAll('-', ' '))
}

function timeOf(filter: ArchiveFilter): string | undefined {
  const month = wholeMonth(filter)
  if (month) return formatMonth(month.year, month.month)
  const { from, to } = filter
  if (from && to) return `${formatDate(from)} to ${formatDate(to)}`
  if (from) return `${formatDate(from)} onwards`
  return to && `before ${formatDate(to)}`
}
