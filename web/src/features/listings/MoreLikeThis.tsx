import { useQuery } from '@tanstack/react-query'
import type { ListingDetail } from '#/api/types'
import { lastSlug } from '#/lib/share-path'
import { SectionHeading } from '#/ui/SectionHeading'
import { SiteLink } from '#/ui/SiteLink'
import type { ListingFilters } from './keys'
import { Place } from './Place'
import { DEFAULT_ORDERING, listingRowOptions } from './queries'
import styles from './Rows.module.css'

const SHOWN = 4
// One more than is shown, since the place itself may be among them.
const ASKED = SHOWN + 1

interface Props {
  place: ListingDetail
}

/** What is near and what is alike, at the end of a place's page. */
export function MoreLikeThis({ place }: Props) {
  const near = place.default_neighborhood
  return (
    <div className={styles.after}>
      {near && (
        <Row
          title={`Also in ${near.name}`}
          href={near.share_url}
          filters={{ neighbourhood: lastSlug(near.share_url) }}
          without={place.id}
        />
      )}
      <Row
        title={`More ${place.type.name.toLocaleLowerCase()}`}
        href={place.type.share_url}
        filters={{ type: lastSlug(place.type.share_url) }}
        without={place.id}
      />
    </div>
  )
}

interface RowProps {
  title: string
  href: string
  filters: ListingFilters
  without: number
}

function Row({ title, href, filters, without }: RowProps) {
  const row = useQuery(listingRowOptions({ ...filters, ordering: DEFAULT_ORDERING }, ASKED))
  const places = row.data?.results.filter((place) => place.id !== without).slice(0, SHOWN) ?? []
  // Beside the place itself this is an extra: where it fails or is empty, the page ends earlier.
  if (places.length === 0) return null
  return (
    <section>
      <SectionHeading aside={<SiteLink href={href}>See all</SiteLink>}>{title}</SectionHeading>
      <ul className={styles.shelf}>
        {places.map((place) => (
          <li key={place.id}>
            <Place place={place} />
          </li>
        ))}
      </ul>
    </section>
  )
}
