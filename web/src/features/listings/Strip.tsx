import type { ListingDetail } from '#/api/types'
import { PhoneLink } from './PhoneLink'
import { SiteLink } from '#/ui/SiteLink'
import styles from './Strip.module.css'

/** The facts that a reader needs first; a closed place has only its neighbourhood. */
export function Strip({ place }: { place: ListingDetail }) {
  const area = place.default_neighborhood
  return (
    <ul className={styles.strip}>
      {place.open_status && (
        <li>
          <b>{place.open_status}</b>
        </li>
      )}
      {area && (
        <li>
          <SiteLink href={area.share_url}>{area.name}</SiteLink>
        </li>
      )}
      {place.phone && !place.is_closed && (
        <li>
          <PhoneLink phone={place.phone} />
        </li>
      )}
    </ul>
  )
}
