import type { Listing } from '#/api/types'
import { Shelf } from '#/features/grid/Shelf'
import { PlaceWithControls } from '#/features/listings/PlaceWithControls'
import { NameList, PlacePair } from '#/features/listings/PlaceRows'
import { useEditorsRow } from '#/features/listings/queries'
import { useSite } from '#/features/site/site'
import { LeadAndSeconds, LeadAndSecondsSkeleton } from '#/ui/LeadAndSeconds'
import { Loaded } from '#/ui/Loaded'
import { Notice } from '#/ui/Notice'
import { SectionHeading } from '#/ui/SectionHeading'
import { SiteLink } from '#/ui/SiteLink'
import { BlockSection, type BlockProps } from './BlockSection'
import { RowSkeleton, SHELF } from './RowSkeleton'

const SECONDS = 3
const NAMES = 12
const REVIEWED = 24

/** The latest reviewed places, as the page's lead block or as a row. */
export function ReviewsBlock({ block, isFirst }: BlockProps) {
  const row = useEditorsRow(undefined, isFirst ? REVIEWED : block.limit)
  if (isFirst) {
    return (
      <Loaded
        query={row}
        skeleton={<LeadAndSecondsSkeleton />}
        failure="The front page did not load"
      >
        {(places) => <LeadPlaces places={places} />}
      </Loaded>
    )
  }
  if (row.error || row.data?.length === 0) return null
  return (
    <BlockSection block={block} isBusy={!row.data}>
      {row.data ? (
        <Row places={row.data} limit={block.limit} />
      ) : (
        <RowSkeleton limit={block.limit} hasControls />
      )}
    </BlockSection>
  )
}

/** The latest places of a type, or of all types, without the places in the lead block. */
export function PlacesBlock({ block }: BlockProps) {
  const shown = usePlacesInLead()
  const wanted = block.limit + shown.size
  const row = useEditorsRow(block.type ?? undefined, wanted)
  if (row.error) return null
  const places = (row.data ?? []).filter((place) => !shown.has(place.id)).slice(0, block.limit)
  if (row.data && places.length === 0) return null
  return (
    <BlockSection block={block} isBusy={!row.data}>
      {row.data ? (
        <Row places={places} limit={block.limit} />
      ) : (
        <RowSkeleton limit={block.limit} hasControls />
      )}
    </BlockSection>
  )
}

/** A row of up to four; with more places, a lead and an index of the others. */
function Row({ places, limit }: { places: readonly Listing[]; limit: number }) {
  if (limit > SHELF && places.some((place) => place.image_url)) return <PlacePair places={places} />
  return (
    <Shelf>
      {places.slice(0, SHELF).map((place) => (
        <li key={place.id}>
          <PlaceWithControls place={place} />
        </li>
      ))}
    </Shelf>
  )
}

/** The places in the lead block. */
function usePlacesInLead(): ReadonlySet<number> {
  const opensWithPlaces = useSite().home[0]?.kind === 'reviews'
  const front = useEditorsRow(undefined, REVIEWED, opensWithPlaces)
  if (!opensWithPlaces || !front.data) return NONE
  return new Set(
    picturesFirst(front.data)
      .slice(0, 1 + SECONDS)
      .map((place) => place.id),
  )
}

const NONE: ReadonlySet<number> = new Set()

function LeadPlaces({ places }: { places: readonly Listing[] }) {
  const { city } = useSite()
  const [lead, ...others] = picturesFirst(places)
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
        lead={<PlaceWithControls place={lead} look="cover" heading="h2" isFirst />}
        seconds={seconds.map((place) => (
          <li key={place.id}>
            <PlaceWithControls place={place} look="second" heading="h2" />
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
function picturesFirst(places: readonly Listing[]): Listing[] {
  const open = places.filter((place) => !place.is_closed)
  return [...open.filter((place) => place.image_url), ...open.filter((place) => !place.image_url)]
}
