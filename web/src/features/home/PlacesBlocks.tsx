import { useQuery } from '@tanstack/react-query'
import type { Listing } from '#/api/types'
import { Shelf } from '#/features/grid/Shelf'
import { Place } from '#/features/listings/Place'
import { NameList, PlacePair } from '#/features/listings/PlaceRows'
import { editorsRowOptions } from '#/features/listings/queries'
import { useSite } from '#/features/site/site'
import { LeadAndSeconds, LeadAndSecondsSkeleton } from '#/ui/LeadAndSeconds'
import { Notice } from '#/ui/Notice'
import { Retry } from '#/ui/Retry'
import { SectionHeading } from '#/ui/SectionHeading'
import { SiteLink } from '#/ui/SiteLink'
import { BlockSection, type BlockProps } from './BlockSection'
import { RowRoom, SHELF } from './RowRoom'

const SECONDS = 3
const NAMES = 12
const REVIEWED = 24

/** The latest reviewed places, as the page's lead block or as a row. */
export function ReviewsBlock({ block, isFirst }: BlockProps) {
  const row = useQuery(editorsRowOptions({}, isFirst ? REVIEWED : block.limit))
  if (isFirst) {
    if (row.isPending) return <LeadAndSecondsSkeleton />
    if (row.isError) {
      return <Retry title="The front page did not load" onRetry={() => void row.refetch()} />
    }
    return <Opening places={row.data} />
  }
  if (row.isError || row.data?.length === 0) return null
  return (
    <BlockSection block={block} isBusy={row.isPending}>
      {row.isPending ? (
        <RowRoom limit={block.limit} hasControls />
      ) : (
        <Row places={row.data} limit={block.limit} />
      )}
    </BlockSection>
  )
}

/** The latest places of a type, or of all types, without those in the lead block. */
export function PlacesBlock({ block }: BlockProps) {
  const shown = useShown()
  const wanted = block.limit + shown.size
  const row = useQuery(editorsRowOptions(block.type ? { type: block.type } : {}, wanted))
  if (row.isError) return null
  const places = (row.data ?? []).filter((place) => !shown.has(place.id)).slice(0, block.limit)
  if (row.isSuccess && places.length === 0) return null
  return (
    <BlockSection block={block} isBusy={row.isPending}>
      {row.isPending ? (
        <RowRoom limit={block.limit} hasControls />
      ) : (
        <Row places={places} limit={block.limit} />
      )}
    </BlockSection>
  )
}

/** A row of up to four; with more, a lead and an index of the others. */
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

/** The places in the lead block. */
function useShown(): ReadonlySet<number> {
  const opensWithPlaces = useSite().home[0]?.kind === 'reviews'
  const front = useQuery({ ...editorsRowOptions({}, REVIEWED), enabled: opensWithPlaces })
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
      <Notice title="Nothing has been published yet">
        <p>Nothing has been published about {city} yet. Check back soon.</p>
      </Notice>
    )
  }
  const seconds = others.slice(0, SECONDS)
  const shown = new Set([lead, ...seconds].map((place) => place.id))
  const rest = places.filter((place) => !shown.has(place.id)).slice(0, NAMES)
  return (
    <>
      <LeadAndSeconds
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

/** Places with a picture first, otherwise in the given order. */
function inOrderOfShow(places: readonly Listing[]): Listing[] {
  const open = places.filter((place) => !place.is_closed)
  return [...open.filter((place) => place.image_url), ...open.filter((place) => !place.image_url)]
}
