import { useInfiniteQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import type { ListPath, PageItem } from '#/api/types'
import { pagesQuery } from '#/lib/api-queries'
import { useAddressQuery } from '#/lib/use-address-query'
import { KeywordSearch } from '#/ui/KeywordSearch'
import { SelectField } from '#/ui/SelectField'
import { GridPage } from './GridPage'
import { FEW } from './few'
import styles from './FilterBar.module.css'

const NAMES = ['ordering', 'keywords'] as const

interface Props<P extends ListPath> {
  title: string
  kicker?: ReactNode
  intro?: ReactNode
  /** Content between the head and the filters, such as a section's lead articles. */
  above?: ReactNode
  /** Ids of items above the grid, which the grid omits while it is in its default order. */
  shownAbove?: ReadonlySet<number> | undefined
  unit: readonly [string, string]
  /** The large card of the first item, while the grid is in its default order. */
  lead?: (item: PageItem<P>) => ReactNode
  /** The link of an empty list. */
  onward?: { href: string; label: string }
  /** The path of the list: "/api/v2/articles/". */
  path: P
  /** The page's own filters, which the reader cannot change. */
  fixed?: Readonly<Record<string, string | undefined>>
  /** The possible orders; the first is the default. */
  orderings: readonly { value: string; label: string }[]
  children: (item: PageItem<P>, index: number) => ReactNode
}

const EVERYTHING = {}

/** A grid that can be sorted and searched. */
export function SortedGrid<P extends ListPath>({
  path,
  fixed = EVERYTHING,
  orderings,
  unit,
  shownAbove,
  lead,
  children,
  ...head
}: Props<P>) {
  const { values, change, select } = useAddressQuery(NAMES)
  const defaultOrdering = orderings[0]?.value ?? ''
  const isKnown = orderings.some((known) => known.value === values.ordering)
  const ordering = isKnown && values.ordering ? values.ordering : defaultOrdering
  const isDefault = ordering === defaultOrdering && values.keywords === undefined
  const options = pagesQuery(path, { ...fixed, ordering, keywords: values.keywords })
  // The same query as the grid's.
  const first = useInfiniteQuery(options).data?.pages[0]
  const count = first?.count ?? -1
  const isShort = isDefault && count >= 0 && count <= FEW
  const [opening] = lead && isDefault && count > FEW ? (first?.results ?? []) : []
  return (
    <GridPage<PageItem<P>>
      {...head}
      unit={unit}
      options={options}
      lead={opening && lead?.(opening)}
      without={opening ? new Set([opening.id]) : isDefault ? shownAbove : undefined}
      isFiltered={values.keywords !== undefined}
      onClear={() => change({ keywords: undefined })}
      advice="Try fewer or other words."
      filters={
        !isShort && (
          <div className={styles.bar}>
            <KeywordSearch
              key={values.keywords}
              what={unit[1]}
              keywords={values.keywords ?? ''}
              onSearch={(keywords) => change({ keywords })}
            />
            <SelectField
              label="Sort"
              value={ordering}
              options={orderings}
              onChange={(value) =>
                select({ ordering: value === defaultOrdering ? undefined : value })
              }
            />
          </div>
        )
      }
    >
      {children}
    </GridPage>
  )
}
