import type { ReactNode } from 'react'
import type { ListPath, PageItem } from '#/api/types'
import { useAddressQuery } from '#/lib/use-address-query'
import { KeywordSearch } from '#/ui/KeywordSearch'
import { SelectField } from '#/ui/SelectField'
import { GridPage } from './GridPage'
import { gridPagesOptions } from './queries'
import styles from './FilterBar.module.css'

const NAMES = ['ordering', 'keywords'] as const

interface Props<P extends ListPath> {
  title: string
  kicker?: ReactNode
  intro?: ReactNode
  /** Content between the head and the filters, such as a section's lead articles. */
  above?: ReactNode
  /** Ids shown above, which the grid leaves out while it is in its default order. */
  shownAbove?: ReadonlySet<number> | undefined
  unit: readonly [string, string]
  /** The call: "/api/v2/articles/". */
  path: P
  /** Filters that belong to the page and cannot be changed by the reader. */
  fixed?: Readonly<Record<string, string | undefined>>
  /** The first is the default. */
  orderings: readonly { value: string; label: string }[]
  children: (item: PageItem<P>, index: number) => ReactNode
}

const EVERYTHING = {}

/** A grid that can be sorted and searched, and nothing else. */
export function SortedGrid<P extends ListPath>({
  path,
  fixed = EVERYTHING,
  orderings,
  unit,
  shownAbove,
  children,
  ...head
}: Props<P>) {
  const { values, change } = useAddressQuery(NAMES)
  const usual = orderings[0]?.value ?? ''
  const isKnown = orderings.some((known) => known.value === values.ordering)
  const ordering = isKnown && values.ordering ? values.ordering : usual
  const isUsual = ordering === usual && values.keywords === undefined
  return (
    <GridPage<PageItem<P>>
      {...head}
      unit={unit}
      options={gridPagesOptions(path, { ...fixed, ordering, keywords: values.keywords })}
      without={isUsual ? shownAbove : undefined}
      isFiltered={values.keywords !== undefined}
      onClear={() => change({ keywords: undefined })}
      advice="Try fewer or other words."
      filters={
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
            onChange={(value) => change({ ordering: value === usual ? undefined : value })}
          />
        </div>
      }
    >
      {children}
    </GridPage>
  )
}
