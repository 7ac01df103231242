import { useQuery } from '@tanstack/react-query'
import type { Listing } from '#/api/types'
import { NeighbourhoodParagraph } from '#/features/listings/NeighbourhoodIndex'
import { Place } from '#/features/listings/Place'
import {
  editorsRowOptions,
  listingTypesOptions,
  neighbourhoodsOptions,
} from '#/features/listings/queries'
import { NameList, TypeRow } from '#/features/listings/TypeRow'
import { Dateline } from '#/features/site/Dateline'
import { useHasSection, useSite } from '#/features/site/site'
import { useDocumentTitle } from '#/lib/document-title'
import { Notice } from '#/ui/Notice'
import { Retry } from '#/ui/Retry'
import { SectionHeading } from '#/ui/SectionHeading'
import { SiteLink } from '#/ui/SiteLink'
import { Skeleton } from '#/ui/Skeleton'
import styles from './home.module.css'

const FRONT = 24
const SECONDS = 3
const NAMES = 12
const TYPE_ROWS = 4
const LIVELIEST = 18

export function HomePage() {
  const site = useSite()
  const hasPlaces = useHasSection('listings')
  useDocumentTitle(undefined, site.name)
  return (
    <>
      <h1 className="visually-hidden">{site.name}</h1>
      <Dateline />
      {hasPlaces ? <PlacesFront /> : <NothingYet />}
    </>
  )
}

function PlacesFront() {
  const front = useQuery(editorsRowOptions({}, FRONT))
  if (front.isPending) return <FrontSkeleton />
  if (front.isError) {
    return <Retry title="The front page did not load" onRetry={() => void front.refetch()} />
  }
  return <Front places={front.data} />
}

function NothingYet() {
  const { city } = useSite()
  return (
    <Notice title="The first pages are on their way">
      <p>Nothing has been published about {city} yet. Look in again soon.</p>
    </Notice>
  )
}

function Front({ places }: { places: readonly Listing[] }) {
  const [lead, ...others] = inOrderOfShow(places)
  if (!lead) return <NothingYet />
  const seconds = others.slice(0, SECONDS)
  const shown = new Set([lead, ...seconds].map((place) => place.id))
  const rest = places.filter((place) => !shown.has(place.id)).slice(0, NAMES)
  return (
    <div className={styles.sections}>
      <div className={styles.front}>
        <div className={styles.lead}>
          <Place place={lead} look="lead" heading="h2" isFirst />
        </div>
        {seconds.length > 0 && (
          <ul className={styles.seconds}>
            {seconds.map((place) => (
              <li key={place.id}>
                <Place place={place} look="second" heading="h2" isFirst />
              </li>
            ))}
          </ul>
        )}
      </div>
      {rest.length > 0 && (
        <section>
          <SectionHeading aside={<SiteLink href="/places/">All places</SiteLink>}>
            Recently reviewed
          </SectionHeading>
          <NameList places={rest} />
        </section>
      )}
      <ByKind without={shown} />
    </div>
  )
}

/** Below the front: a row for each of the larger types, and the neighbourhoods among them. */
function ByKind({ without }: { without: ReadonlySet<number> }) {
  const types = useQuery(listingTypesOptions())
  const hasNeighbourhoods = useHasSection('neighbourhoods')
  const rows = [...(types.data ?? [])]
    .filter((type) => type.count > 0)
    .sort((a, b) => b.count - a.count)
    .slice(0, TYPE_ROWS)
  return (
    <>
      {rows.slice(0, 2).map((type, index) => (
        <TypeRow
          key={type.id}
          type={type}
          look={index === 0 ? 'shelf' : 'pair'}
          without={without}
        />
      ))}
      {hasNeighbourhoods && <Neighbourhoods />}
      {rows.slice(2).map((type, index) => (
        <TypeRow
          key={type.id}
          type={type}
          look={index === 0 ? 'shelf' : 'pair'}
          without={without}
        />
      ))}
    </>
  )
}

function Neighbourhoods() {
  const list = useQuery(neighbourhoodsOptions())
  const liveliest = [...(list.data ?? [])]
    .filter((row) => row.count > 0)
    .sort((a, b) => b.count - a.count)
    .slice(0, LIVELIEST)
  if (liveliest.length === 0) return null
  return (
    <section>
      <SectionHeading aside={<SiteLink href="/neighbourhoods/">All neighbourhoods</SiteLink>}>
        Pick a neighbourhood
      </SectionHeading>
      <NeighbourhoodParagraph neighbourhoods={liveliest} />
    </section>
  )
}

/** A front page opens with pictures: what has one comes before what has none, as they came each. */
function inOrderOfShow(places: readonly Listing[]): Listing[] {
  const open = places.filter((place) => !place.is_closed)
  return [...open.filter((place) => place.image_url), ...open.filter((place) => !place.image_url)]
}

function FrontSkeleton() {
  return (
    <div className={styles.front} role="status" aria-label="Loading the front page">
      <div className={styles.lead}>
        <Skeleton ratio="3 / 2" />
        <br />
        <Skeleton width="30%" height="1rem" />
        <br />
        <Skeleton width="80%" height="4rem" />
      </div>
      <div className={styles.seconds}>
        {[0, 1, 2].map((index) => (
          <Skeleton key={index} height="7rem" />
        ))}
      </div>
    </div>
  )
}
