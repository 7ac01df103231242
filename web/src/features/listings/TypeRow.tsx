import { useQuery } from '@tanstack/react-query'
import type { Listing, ListingType } from '#/api/types'
import { SectionHeading } from '#/ui/SectionHeading'
import { SiteLink } from '#/ui/SiteLink'
import { Skeleton } from '#/ui/Skeleton'
import { Place } from './Place'
import { editorsRowOptions } from './queries'
import styles from './Rows.module.css'

const SHELF = 4
const LINES = 5

interface Props {
  type: ListingType
  look: 'shelf' | 'pair'
  /** What the page shows already. */
  without: ReadonlySet<number>
}

/** The latest of one type: four beside each other, or one large with an index of others. */
export function TypeRow({ type, look, without }: Props) {
  const wanted = look === 'shelf' ? SHELF : LINES + 1
  const row = useQuery(editorsRowOptions({ type: type.slug }, wanted + without.size))
  // A row that fails leaves the front page shorter; the type's own page offers another try.
  if (row.isError) return null
  const places = (row.data ?? []).filter((place) => !without.has(place.id)).slice(0, wanted)
  if (row.isSuccess && places.length === 0) return null
  return (
    <section aria-busy={row.isPending || undefined}>
      <SectionHeading
        aside={
          <SiteLink href={type.share_url}>
            All {type.count.toLocaleString()}
            <span className="visually-hidden"> {type.name}</span>
          </SiteLink>
        }
      >
        {type.name}
      </SectionHeading>
      {row.isPending ? (
        <Skeleton height="14rem" />
      ) : look === 'shelf' || !places.some((place) => place.image_url) ? (
        <Shelf places={places.slice(0, SHELF)} />
      ) : (
        <Pair places={places} />
      )}
    </section>
  )
}

interface PlacesProps {
  places: readonly Listing[]
}

function Shelf({ places }: PlacesProps) {
  return (
    <ul className={styles.shelf}>
      {places.map((place) => (
        <li key={place.id}>
          <Place place={place} />
        </li>
      ))}
    </ul>
  )
}

function Pair({ places }: PlacesProps) {
  const first = places.find((place) => place.image_url) ?? places[0]
  if (!first) return null
  return (
    <div className={styles.pair}>
      <Place place={first} />
      <ul className={styles.lines}>
        {places
          .filter((place) => place !== first)
          .map((place) => (
            <li key={place.id}>
              <Place place={place} look="line" />
            </li>
          ))}
      </ul>
    </div>
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
          </SiteLink>
        </li>
      ))}
    </ul>
  )
}
