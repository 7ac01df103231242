import { Suspense, useState } from 'react'
import type { HomeBlock } from '#/api/types'
import { categoriesOf, categoryOf, resultsTitle, searchAddress } from '#/features/search/categories'
import { rememberSearch } from '#/features/search/recent'
import { Results } from '#/features/search/Results'
import { SearchStart } from '#/features/search/SearchStart'
import { useSite } from '#/features/site/site'
import { PageTitle } from '#/features/site/PageTitle'
import { optionalComponent } from '#/lib/online'
import { useAddressQuery } from '#/lib/use-address-query'
import { KeywordSearch } from '#/ui/KeywordSearch'
import { PageHead } from '#/ui/PageHead'
import { TabStrip } from '#/ui/TabStrip'
import styles from './search.module.css'

const NAMES = ['q', 'category'] as const

const Block = optionalComponent(
  async () => ({ default: (await import('#/features/home/LaterBlock')).LaterBlock }),
  () => null,
)

/** The rows below the start of a search, with the section that each needs. */
const ROWS: readonly (HomeBlock & { needs: string })[] = [
  { needs: 'events', kind: 'events', title: 'Coming up', href: '/events/', limit: 6 },
  { needs: 'listings', kind: 'reviews', title: 'Recently reviewed', href: '/places/', limit: 4 },
]

/** The results of a search, or suggestions for one. */
export function SearchPage() {
  const site = useSite()
  const { values, change } = useAddressQuery(NAMES)
  // The reader's position must not be in the address or the history.
  const [near, setNear] = useState<string>()
  const words = values.q
  const category = categoryOf(site, values.category)
  const title = resultsTitle(words)
  return (
    <>
      <PageTitle page={title} />
      <PageHead title={title}>
        <div className={styles.box}>
          <KeywordSearch
            key={words}
            what={`all of ${site.name}`}
            keywords={words ?? ''}
            onSearch={(q) => {
              if (q) rememberSearch(q)
              change({ q })
            }}
          />
        </div>
        {words && (
          <TabStrip
            label="Kinds of results"
            tabs={categoriesOf(site).map(({ value, label }) => ({
              label,
              href: searchAddress(value, words),
            }))}
            current={searchAddress(category, words)}
          />
        )}
      </PageHead>
      {words ? (
        <Results key={`${category} ${words}`} search={{ words, category, near }} onNear={setNear} />
      ) : (
        <div className={styles.start}>
          <SearchStart />
          {ROWS.filter(({ needs }) => site.sections[needs]).map(({ needs, ...block }) => (
            <Suspense key={needs}>
              <Block block={block} />
            </Suspense>
          ))}
        </div>
      )}
    </>
  )
}
