import type { ReactNode } from 'react'
import type { Listing } from '#/api/types'
import { SiteLink } from '#/ui/SiteLink'
import { PlacePicture } from './PlacePicture'
import styles from './PlaceCard.module.css'

export interface PlaceCardProps {
  place: Listing
  /** How much it matters on its page. */
  look?: 'card' | 'lead' | 'second' | 'line'
  heading?: 'h2' | 'h3'
  isFirst?: boolean
  /** The heart, which belongs to another feature. */
  action?: ReactNode
}

export function PlaceCard({
  place,
  look = 'card',
  heading: Heading = 'h3',
  isFirst = false,
  action,
}: PlaceCardProps) {
  return (
    <article className={`${styles.card} ${styles[look]}`}>
      <div className={styles.picture}>
        <PlacePicture place={place} isFirst={isFirst} />
      </div>
      <div className={styles.text}>
        <p className={styles.kicker}>
          <span className={styles.type}>{place.sub_type?.name ?? place.type.name_singular}</span>
          {place.is_closed && <span className={styles.closed}>Closed</span>}
        </p>
        <Heading className={styles.name}>
          <SiteLink className={styles.link} href={place.share_url}>
            {place.name}
          </SiteLink>
        </Heading>
        {place.default_neighborhood && (
          <p className={styles.where}>{place.default_neighborhood.name}</p>
        )}
      </div>
      {action && <div className={styles.action}>{action}</div>}
    </article>
  )
}
