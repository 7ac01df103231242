import type { SearchPage } from '#/api/types'
import { CloseIcon } from '#/ui/icons'
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
        <ul className={styles.chips} aria-label="Filters">
          {understood.taken.map(({ field, label, rest }) => (
            <li key={field}>
              <SiteLink
                className={styles.chip}
                href={rest ? searchAddress(category, rest) : '/search'}
                aria-label={`Remove the filter ${label}`}
              >
                {label}
                <CloseIcon />
              </SiteLink>
            </li>
          ))}
        </ul>
      )}
    </>
  )
}
