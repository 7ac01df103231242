import type { SearchPage } from '#/api/types'
import { Chips } from '#/ui/Chips'
import { SiteLink } from '#/ui/SiteLink'
import { searchAddress, type Category } from './categories'
import styles from './Interpretation.module.css'

interface Props {
  words: string
  category: Category
  answer: SearchPage
}

/** The interpretation of the query: corrected words, and filters that the reader can remove. */
export function Interpretation({ words, category, answer: { corrected, understood } }: Props) {
  return (
    <>
      {corrected && (
        <p className={styles.corrected}>
          Showing results for <b>{corrected}</b>.{' '}
          <SiteLink href={searchAddress(category, `"${words.replaceAll('"', '')}"`)}>
            Search for “{words}” instead
          </SiteLink>
        </p>
      )}
      {understood.taken.length > 0 && (
        <div className={styles.filters}>
          <Chips
            label="Filters"
            links={understood.taken.map(({ label, rest }) => ({
              name: label,
              href: rest ? searchAddress(category, rest) : '/search',
              removal: `Remove the filter ${label}`,
            }))}
          />
        </div>
      )}
    </>
  )
}
