import { useQuery } from '@tanstack/react-query'
import type { Listing } from '#/api/types'
import { Shelf } from '#/features/grid/Shelf'
import { Place } from '#/features/listings/Place'
import { NameList, PlacePair } from '#/features/listings/PlaceRows'
import { editorsRowOptions } from '#/features/listings/queries'
import { useSite } from '#/features/site/site'
import { Front, FrontSkeleton } from '#/ui/Front'
import { Notice } from '#/ui/Notice'
import { Retry } from '#/ui/Retry'
import { SectionHeading } from '#/ui/SectionHeading'
import { SiteLink } from '#/ui/SiteLink'
import { Skeleton } from '#/ui/Skeleton'
import { BlockSection, type BlockProps } from './BlockSection'

const SECONDS = 3
const NAMES = 12
const FRONT = 24
const SHELF = 4

/** The places that were reviewed last: they open the page, or stand in a row of it. */
export function ReviewsBlock({ block, isFirst }: BlockProps) {
  const row = useQuery(editorsRowOptions({}, isFirst ? FRONT : block.limit))
  if (isFirst) {
    if (row.isPending) return <FrontSkeleton />
    if (row.isError) {
      return <Retry title="The front page did not load" onRetry={() => void row.refetch()} />
    }
    return <Opening places={row.data} />
  }
  if (row.isError || row.data?.length === 0) return null
  return (
    <BlockSection block={block} isBusy={row.isPending}>
      {row.isPending ? <Skeleton height="14rem" /> : <Row places={row.data} limit={block.limit} />}
    </BlockSection>
  )
}

/** The latest of a type, or of all; what the page opens with is not said again. */
export function PlacesBlock({ block }: BlockProps) {
  const shown = useShown()
  const wanted = block.limit + shown.size
  const row = useQuery(editorsRowOptions(block.type ? { type: block.type } : {}, wanted))
  if (row.isError) return null
  const places = (row.data ?? []).filter((place) => !shown.has(place.id)).slice(0, block.limit)
  if (row.isSuccess && places.length === 0) return null
  return (
    <BlockSection block={block} isBusy={row.isPending}>
      {row.isPending ? <Skeleton height="14rem" /> : <Row places={places} limit={block.limit} />}
    </BlockSection>
  )
}

/** Up to four beside each other; of more, one large with an index of the others. */
function Row({ places, limit }: { places: readonly Listing[]; limit: number }) {
  if (limit > SHELF && places.some((place) => place.image_url)) return <PlacePair places={places} />
  return (
    <Shelf>
      {places.slice(0, SHELF).map((place) => (
        <li key={place.id}>
          <Place place={place} />
        </li>
      ))}
    </Shelf>
  )
}

/** The places that the page opens with. */
function useShown(): ReadonlySet<number> {
  const opensWithPlaces = useSite().home[0]?.kind === 'reviews'
  const front = useQuery({ ...editorsRowOptions({}, FRONT), enabled: opensWithPlaces })
  if (!opensWithPlaces || !front.data) return NONE
  return new Set(
    inOrderOfShow(front.data)
      .slice(0, 1 + SECONDS)
      .map((place) => place.id),
  )
}

const NONE: ReadonlySet<number> = new Set()

function Opening({ places }: { places: readonly Listing[] }) {
  const { city } = useSite()
  const [lead, ...others] = inOrderOfShow(places)
  if (!lead) {
    return (
      <Notice title="The first pages are on their way">
        <p>Nothing has been published about {city} yet. Look in again soon.</p>
      </Notice>
    )
  }
  const seconds = others.slice(0, SECONDS)
  const shown = new Set([lead, ...seconds].map((place) => place.id))
  const rest = places.filter((place) => !shown.has(place.id)).slice(0, NAMES)
  return (
    <>
      <Front
        lead={<Place place={lead} look="lead" heading="h2" isFirst />}
        seconds={seconds.map((place) => (
          <li key={place.id}>
            <Place place={place} look="second" heading="h2" isFirst />
          </li>
        ))}
      />
      {rest.length > 0 && (
        <section>
          <SectionHeading aside={<SiteLink href="/places/">All places</SiteLink>}>
            Recently reviewed
          </SectionHeading>
          <NameList places={rest} />
        </section>
      )}
    </>
  )
}

/** A front page opens with pictures: what has one comes before what has none, as they came each. */
function inOrderOfShow(places: readonly Listing[]): Listing[] {
  const open = places.filter((place) => !place.is_closed)
  return [...open.filter((place) => place.image_url), ...open.filter((place) => !place.image_url)]
}
