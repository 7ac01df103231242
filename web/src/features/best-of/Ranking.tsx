import { useMemo } from 'react'
import type { BestOfDetail } from '#/api/types'
import { ListedStars } from '#/features/listings/ListedStars'
import { ListMap } from '#/features/listings/ListMap'
import { PlacePicture } from '#/features/listings/PlacePicture'
import { SaveButton } from '#/features/saved/SaveButton'
import { Html } from '#/ui/Html'
import { SiteLink } from '#/ui/SiteLink'
import styles from './Ranking.module.css'

interface Props {
  entries: BestOfDetail['entries']
}

/** The map of a list's places. */
export function RankingMap({ name, entries }: Props & { name: string }) {
  const places = useMemo(() => entries.map(({ listing }) => listing), [entries])
  return <ListMap what={`the places of “${name}”`} places={places} />
}

/** The places of a best-of list in order, each with the reason for its rank. */
export function Ranking({ entries }: Props) {
  return (
    <ol className={styles.ranking}>
      {entries.map(({ rank, listing, text }) => (
        <li key={listing.id} className={styles.entry}>
          <span className={styles.rank} aria-hidden="true">
            {rank}
          </span>
          <div>
            <PlacePicture place={listing} isFirst={rank === 1} />
          </div>
          <div>
            <h2 className={styles.name}>
              <SiteLink href={listing.share_url}>{listing.name}</SiteLink>
            </h2>
            <p className={styles.where}>
              {[
                listing.sub_type?.name ?? listing.type.name_singular,
                listing.default_neighborhood?.name,
                listing.is_closed ? 'Closed' : undefined,
              ]
                .filter(Boolean)
                .join(' · ')}
            </p>
            <ListedStars place={listing} />
            {text && <Html className={styles.why} html={text} />}
            {!listing.is_closed && (
              <div className={styles.controls}>
                <SaveButton
                  kind="favourite"
                  objectId={listing.id}
                  name={listing.name}
                  look="labelled"
                />
                <SaveButton kind="todo" objectId={listing.id} name={listing.name} />
              </div>
            )}
          </div>
        </li>
      ))}
    </ol>
  )
}
