import { useState } from 'react'
import { useSite } from '#/features/site/site'
import { exampleSearches } from './examples'
import { recentSearches } from './recent'
import { SearchLinks } from './SearchLinks'
import styles from './SearchStart.module.css'

/** Searches to begin with: the recent ones on this device, and examples. */
export function SearchStart() {
  const examples = exampleSearches(useSite())
  const [recent] = useState(recentSearches)
  return (
    <div className={styles.start}>
      {recent.length > 0 && (
        <section>
          <h2 className={styles.heading}>Searched before</h2>
          <SearchLinks label="Searched before" searches={recent} />
        </section>
      )}
      {examples.length > 0 && (
        <section>
          <h2 className={styles.heading}>Searches to try</h2>
          <SearchLinks label="Searches to try" searches={examples} />
        </section>
      )}
    </div>
  )
}
