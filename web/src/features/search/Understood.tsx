import type { SearchPage } from '#/api/types'
import { CloseIcon } from '#/ui/icons'
import { SiteLink } from '#/ui/SiteLink'
import { searchAddress, type Category } from './categories'
import styles from './Understood.module.css'

interface Props {
  words: string
  category: Category
  answer: SearchPage
}

/** What the query was understood as: its corrected words, and filters that can be taken away. */
export function Understood({ words, category, answer: { corrected, understood } }: Props) {
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
