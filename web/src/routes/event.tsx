import { useQuery, type QueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { Event } from '#/api/types'
import { AdPage } from '#/features/ads/AdPage'
import { AdSpot } from '#/features/ads/AdSpot'
import { AgeGated } from '#/features/age-gate/AgeGated'
import { EventPicture } from '#/features/events/EventCard'
import { EventFacts } from '#/features/events/EventFacts'
import { eventOptions, gatedEventOptions } from '#/features/events/queries'
import { isOver } from '#/features/events/when'
import { categoryName } from '#/features/events/words'
import { PlaceNote } from '#/features/listings/PlaceNote'
import { neighbourhoodsOptions } from '#/features/listings/queries'
import { ItemText } from '#/features/pages/ItemText'
import { NewsletterPanel } from '#/features/newsletters/NewsletterPanel'
import type { ResolvedPageProps } from '#/features/pages/resolved-page'
import { SaveButton } from '#/features/saved/SaveButton'
import { useHasSection, useSite } from '#/features/site/site'
import { PageTitle } from '#/features/site/PageTitle'
import { systemClock } from '#/lib/time'
import { Detail, DetailSkeleton } from '#/ui/Detail'
import { Notice } from '#/ui/Notice'
import { ShareLinks } from '#/ui/ShareLinks'
import { SiteLink } from '#/ui/SiteLink'
import { LoadedPage } from './LoadedPage'

export function prefetch(client: QueryClient, { id }: ResolvedPageProps): Promise<unknown> {
  return client.query(eventOptions(id))
}

export function EventPage({ id }: ResolvedPageProps) {
  const event = useQuery(eventOptions(id))
  return (
    <LoadedPage query={event} skeleton={<DetailSkeleton what="the event" />}>
      {(loaded) => (
        <AgeGated
          item={loaded}
          isRestricted={loaded.is_age_restricted}
          whole={(headers) => gatedEventOptions(id, headers)}
        >
          {(item) => <Ready event={item} />}
        </AgeGated>
      )}
    </LoadedPage>
  )
}

function Ready({ event }: { event: Event }) {
  const { timezone } = useSite()
  const [now] = useState(() => systemClock.now())
  const about = {
    page: 'event',
    neighbourhood: event.neighbourhood ?? undefined,
    tags: event.tags.map((tag) => tag.slug),
  } as const
  return (
    <AdPage about={event.is_age_restricted ? null : about}>
      <PageTitle page={event.name} />
      <Detail
        name={event.name}
        kicker={
          <>
            <SiteLink href="/events/">Events</SiteLink>
            {event.category && <span>{categoryName(event.category)}</span>}
          </>
        }
        deck={event.excerpt || undefined}
        share={<ShareLinks path={event.share_url} title={event.name} />}
        picture={<EventPicture event={event} isFirst />}
        side={
          <EventFacts
            event={event}
            zone={timezone}
            neighbourhood={event.neighbourhood && <Neighbourhood slug={event.neighbourhood} />}
            control={
              <SaveButton
                kind="event-bookmark"
                objectId={event.id}
                name={event.name}
                look="labelled"
              />
            }
          />
        }
      >
        <ItemText item={event} />
        {event.listing && <PlaceNote place={event.listing} />}
        {isOver(event, now) && (
          <Notice isEmpty title="This event is over">
            <SiteLink href="/events/">See what’s on</SiteLink>
          </Notice>
        )}
      </Detail>
      <AdSpot at="lead" />
      <AdSpot at="end" />
      <NewsletterPanel type="events" />
    </AdPage>
  )
}

function Neighbourhood({ slug }: { slug: string }) {
  const hasPages = useHasSection('neighbourhoods')
  const all = useQuery({ ...neighbourhoodsOptions(), enabled: hasPages })
  const found = all.data?.find((one) => one.slug === slug)
  // The slug's words until the name is known, so that the layout does not shift.
  if (!found) return categoryName(slug)
  return <SiteLink href={found.share_url}>{found.name}</SiteLink>
}
