import { useQuery } from '@tanstack/react-query'
import { listingTypesOptions } from '#/features/listings/queries'
import { useSite } from '#/features/site/site'
import { Notice } from '#/ui/Notice'
import { SiteLink } from '#/ui/SiteLink'
import { searchAddress, type Category } from './categories'
import { exampleSearches } from './examples'
import styles from './NoResults.module.css'
import { SearchLinks } from './SearchLinks'

/** The number of suggested types. */
const MAX_TYPES = 6

interface Props {
  words: string
  category: Category
}

/** Suggestions for a search without results. */
export function NoResults({ words, category }: Props) {
  const site = useSite()
  const examples = exampleSearches(site).filter((example) => example !== words)
  const types = useQuery({ ...listingTypesOptions(), enabled: site.sections['listings'] === true })
  const largest = [...(types.data ?? [])].sort((one, other) => other.count - one.count)
  return (
    <Notice isEmpty title="Nothing matches that">
      <p>Try fewer or other words.</p>
      {category !== 'all' && (
        <p>
          <SiteLink href={searchAddress('all', words)}>Search the whole site</SiteLink>
        </p>
      )}
      {examples.length > 0 && (
        <>
          <p>You can also ask for a time or a place:</p>
          <SearchLinks label="Searches to try" searches={examples} />
        </>
      )}
      {largest.length > 0 && (
        <>
          <p>Or look around:</p>
          <ul className={styles.types}>
            {largest.slice(0, MAX_TYPES).map(({ id, name, share_url: href }) => (
              <li key={id}>
                <SiteLink href={href}>{name}</SiteLink>
              </li>
            ))}
          </ul>
        </>
      )}
    </Notice>
  )
}
