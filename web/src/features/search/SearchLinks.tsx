import { SiteLink } from '#/ui/SiteLink'
import { searchAddress } from './categories'
import styles from './SearchLinks.module.css'

interface Props {
  /** The accessible name of the list. */
  label: string
  searches: readonly string[]
}

/** Links to searches, as a row of chips. */
export function SearchLinks({ label, searches }: Props) {
  return (
    <ul className={styles.chips} aria-label={label}>
      {searches.map((words) => (
        <li key={words}>
          <SiteLink href={searchAddress('all', words)}>{words}</SiteLink>
        </li>
      ))}
    </ul>
  )
}
