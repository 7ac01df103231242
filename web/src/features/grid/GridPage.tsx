import { grouped } from '#/lib/words'
import { useInfiniteQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import type { PagesQuery } from '#/lib/api-queries'
import { itemsOf } from '#/lib/paging'
import { Button } from '#/ui/Button'
import { Loading } from '#/ui/Loading'
import { LoadMore } from '#/ui/LoadMore'
import { Notice } from '#/ui/Notice'
import { PageHead } from '#/ui/PageHead'
import { Retry } from '#/ui/Retry'
import { SiteLink } from '#/ui/SiteLink'
import { Grid, GridSkeleton } from './Grid'
import styles from './GridPage.module.css'

interface Props<T extends { id: number }> {
  title: string
  kicker?: ReactNode
  /** Content between the title and the filters. */
  intro?: ReactNode
  /** Content between the head and the filters. */
  above?: ReactNode
  /** The large card of an item, above the others. */
  lead?: ReactNode
  /** The ids of items that the page shows elsewhere: they are counted, but not in the grid. */
  without?: ReadonlySet<number> | undefined
  /** The noun, singular and plural: ["place", "places"]. */
  unit: readonly [string, string]
  options: PagesQuery<T>
  filters?: ReactNode
  isFiltered: boolean
  onClear: () => void
  /** Advice when nothing matches the filters. */
  advice: string
  /** The link of an empty list. */
  onward?: { href: string; label: string }
  /** The skeleton while the first page loads. */
  skeleton?: ReactNode
  /** Shows the list instead of a grid of `children`. */
  list?: ((items: readonly T[]) => ReactNode) | undefined
  children: (item: T, index: number) => ReactNode
}

const FRONT_PAGE = { href: '/', label: 'Go to the front page' }

/** A page of a grid with its filters and Load More. */
export function GridPage<T extends { id: number }>({
  title,
  kicker,
  intro,
  above,
  lead,
  without,
  unit,
  options,
  filters,
  isFiltered,
  onClear,
  advice,
  onward = FRONT_PAGE,
  skeleton = <GridSkeleton what={unit[1]} />,
  list: listOf,
  children,
}: Props<T>) {
  const [one, many] = unit
  const list = useInfiniteQuery(options)
  const pages = list.data?.pages ?? []
  const items = itemsOf(pages)
  const shown = without ? items.filter((item) => !without.has(item.id)) : items
  const total = pages[0]?.count ?? -1
  const clear = (
    <Button look="outline" onClick={onClear}>
      Clear the filters
    </Button>
  )

  return (
    <>
      <PageHead kicker={kicker} title={title}>
        {intro}
        {(!list.isSuccess || total >= 0) && (
          <p className={styles.count} role="status">
            {total >= 0 && (total === 1 ? `1 ${one}` : `${grouped(total)} ${many}`)}
          </p>
        )}
      </PageHead>
      {above}
      {filters}
      {list.isPending ? (
        <Loading>{skeleton}</Loading>
      ) : list.isError && items.length === 0 ? (
        <>
          <Retry onRetry={() => void list.refetch()} />
          {isFiltered && clear}
        </>
      ) : items.length === 0 ? (
        <Notice
          isEmpty
          title={isFiltered ? 'Nothing matches these filters' : `No ${many} here yet`}
        >
          {isFiltered ? (
            <>
              <p>{advice}</p>
              {clear}
            </>
          ) : (
            <>
              <p>Check back soon, or browse the rest of the site.</p>
              <SiteLink href={onward.href}>{onward.label}</SiteLink>
            </>
          )}
        </Notice>
      ) : (
        <>
          {listOf ? (
            listOf(shown)
          ) : (
            <>
              <h2 className="visually-hidden">{many.charAt(0).toUpperCase() + many.slice(1)}</h2>
              {lead}
              {shown.length > 0 && (
                <Grid>
                  {shown.map((item, index) => (
                    <li key={item.id}>{children(item, index)}</li>
                  ))}
                </Grid>
              )}
            </>
          )}
          <LoadMore
            hasMore={list.hasNextPage}
            isLoading={list.isFetchingNextPage}
            isFailed={list.isFetchNextPageError}
            loaded={items.length}
            total={total}
            onMore={() => void list.fetchNextPage()}
          />
        </>
      )}
    </>
  )
}
