import type { Listing } from '#/api/types'
import { Pair } from '#/features/grid/Pair'
import { SiteLink } from '#/ui/SiteLink'
import { ListedStars } from './ListedStars'
import { PlaceWithControls } from './PlaceWithControls'
import styles from './Rows.module.css'

interface PlacesProps {
  places: readonly Listing[]
}

/** A lead and an index of the others. */
export function PlacePair({ places }: PlacesProps) {
  const first = places.find((place) => place.image_url) ?? places[0]
  if (!first) return null
  return (
    <Pair first={<PlaceWithControls place={first} />}>
      {places
        .filter((place) => place !== first)
        .map((place) => (
          <li key={place.id}>
            <PlaceWithControls place={place} look="line" />
          </li>
        ))}
    </Pair>
  )
}

/** Names in columns, without pictures. */
export function NameList({ places }: PlacesProps) {
  return (
    <ul className={styles.names}>
      {places.map((place) => (
        <li key={place.id}>
          <SiteLink href={place.share_url}>
            <b>{place.name}</b>
            <span>
              {[place.sub_type?.name ?? place.type.name_singular, place.default_neighborhood?.name]
                .filter(Boolean)
                .join(' · ')}
            </span>
            <ListedStars place={place} />
          </SiteLink>
        </li>
      ))}
    </ul>
  )
}
