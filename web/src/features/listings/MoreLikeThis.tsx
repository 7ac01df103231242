import type { Listing, ListingDetail } from '#/api/types'
import { Shelf } from '#/features/grid/Shelf'
import { SectionHeading } from '#/ui/SectionHeading'
import { SiteLink } from '#/ui/SiteLink'
import { PlaceWithControls } from './PlaceWithControls'
import { RecentReviews } from './RecentReviews'
import styles from './Rows.module.css'

const SHOWN = 4

interface Props {
  place: ListingDetail
}

/** Recommended and recently reviewed places, at the end of a place's page. */
export function MoreLikeThis({ place }: Props) {
  const similar = place.similar ?? []
  return (
    <div className={styles.after}>
      {similar.length > 0 && (
        <Row title="Recommended places" href={place.type.share_url} places={similar} />
      )}
      <RecentReviews place={place} />
    </div>
  )
}

interface RowProps {
  title: string
  href: string
  places: readonly Listing[]
}

function Row({ title, href, places }: RowProps) {
  return (
    <section>
      <SectionHeading aside={<SiteLink href={href}>See all</SiteLink>}>{title}</SectionHeading>
      <Shelf>
        {places.slice(0, SHOWN).map((place) => (
          <li key={place.id}>
            <PlaceWithControls place={place} />
          </li>
        ))}
      </Shelf>
    </section>
  )
}
