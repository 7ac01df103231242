import { useQuery } from '@tanstack/react-query'
import { listingTypesOptions } from '#/features/listings/queries'
import { Notice } from '#/ui/Notice'
import { SiteLink } from '#/ui/SiteLink'
import { searchAddress, type Category } from './categories'
import styles from './NoResults.module.css'

/** The number of suggested types. */
const MAX_TYPES = 6

interface Props {
  words: string
  category: Category
}

/** Suggestions for a search without results. */
export function NoResults({ words, category }: Props) {
  const types = useQuery(listingTypesOptions())
  const largest = [...(types.data ?? [])].sort((one, other) => other.count - one.count)
  return (
    <Notice title="Nothing matches that">
      <p>
        Try fewer or other words. You can also ask for a time or a place: “events this weekend”,
        “open now”, “coffee near me”.
      </p>
      {category !== 'all' && (
        <p>
          <SiteLink href={searchAddress('all', words)}>Search the whole site</SiteLink>
        </p>
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
