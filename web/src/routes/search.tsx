import { Results } from '#/features/search/Results'
import { useSite } from '#/features/site/site'
import { PageTitle } from '#/features/site/PageTitle'
import { useAddressQuery } from '#/lib/use-address-query'
import { KeywordSearch } from '#/ui/KeywordSearch'
import { PageHead } from '#/ui/PageHead'
import styles from './search.module.css'

const NAMES = ['q'] as const

/** The results of a search over everything. */
export function SearchPage() {
  const site = useSite()
  const { values, change } = useAddressQuery(NAMES)
  const words = values.q
  const title = words ? `Results for “${words}”` : 'Search'
  return (
    <>
      <PageTitle page={title} />
      <PageHead title={title}>
        <div className={styles.box}>
          <KeywordSearch
            key={words}
            what={`all of ${site.name}`}
            keywords={words ?? ''}
            onSearch={(q) => change({ q })}
          />
        </div>
      </PageHead>
      {words && <Results key={words} words={words} />}
    </>
  )
}
