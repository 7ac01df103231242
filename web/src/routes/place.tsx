import { useQuery, type QueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { ListingDetail } from '#/api/types'
import { AdPage } from '#/features/ads/AdPage'
import { AdSpot } from '#/features/ads/AdSpot'
import { AgeGated } from '#/features/age-gate/AgeGated'
import { ArticleShelf } from '#/features/articles/ArticleShelf'
import { EventRow } from '#/features/events/EventRow'
import { PlaceControls } from '#/features/listings/PlaceControls'
import { Badge } from '#/features/listings/Badge'
import { Inspections } from '#/features/listings/Inspections'
import { MoreLikeThis } from '#/features/listings/MoreLikeThis'
import { PlaceMap } from '#/features/listings/PlaceMap'
import { PlacePicture } from '#/features/listings/PlacePicture'
import { gatedListingOptions, listingOptions } from '#/features/listings/queries'
import { Story } from '#/features/listings/Story'
import { Strip } from '#/features/listings/Strip'
import { NewsletterPanel } from '#/features/newsletters/NewsletterPanel'
import { PlacePhotos } from '#/features/photos/PlacePhotos'
import { RatingControl } from '#/features/ratings/RatingControl'
import type { ResolvedPageProps } from '#/features/pages/resolved-page'
import { LateTodoReminder } from '#/features/reminders/late-reminders'
import { PageTitle } from '#/features/site/PageTitle'
import { Detail, DetailSkeleton } from '#/ui/Detail'
import { ShareLinks } from '#/ui/ShareLinks'
import { SiteLink } from '#/ui/SiteLink'
import { Skeleton } from '#/ui/Skeleton'
import { deckOf } from '#/lib/deck'
import { aboutPlace } from './about-place'
import { LoadedPage } from './LoadedPage'
import styles from './place.module.css'

export function prefetch(client: QueryClient, { id }: ResolvedPageProps): Promise<unknown> {
  return client.query(listingOptions(id))
}

export function PlacePage({ id }: ResolvedPageProps) {
  const place = useQuery(listingOptions(id))
  return (
    <LoadedPage query={place} skeleton={<DetailSkeleton what="the place" />}>
      {(loaded) => (
        <AgeGated
          item={loaded}
          isRestricted={loaded.type.is_age_restricted}
          whole={(headers) => gatedListingOptions(id, headers)}
        >
          {(item, isWhole) => {
            // The gated answer does not include the rows of other places.
            const { similar, recent, photos, inspections, articles, events } = loaded
            const beside = {
              ...(similar && { similar }),
              ...(recent && { recent }),
              ...(photos && { photos }),
              ...(inspections && { inspections }),
              ...(articles && { articles }),
              ...(events && { events }),
            }
            return <Ready place={{ ...item, ...beside }} isWhole={isWhole} />
          }}
        </AgeGated>
      )}
    </LoadedPage>
  )
}

interface ReadyProps {
  place: ListingDetail
  /** Whether the review has been loaded. */
  isWhole: boolean
}

function Ready({ place, isWhole }: ReadyProps) {
  const [end, setEnd] = useState<Element | null>(null)
  return (
    <AdPage about={aboutPlace('place', place)}>
      <PageTitle page={place.name} />
      <Detail
        isLarge
        name={place.name}
        kicker={<SiteLink href={place.type.share_url}>{place.type.name}</SiteLink>}
        deck={deckOf(place.line ?? '', place.review?.body)}
        strip={<Strip place={place} />}
        isStoryFirst
        share={<ShareLinks path={place.share_url} title={place.name} />}
        picture={<PlacePicture place={place} isFirst />}
        side={<Badge place={place} />}
        below={<AdSpot at="side" />}
      >
        {isWhole ? <Story place={place} end={setEnd} /> : <Skeleton height="12rem" />}
      </Detail>
      <AdSpot at="lead" />
      <PlaceMap place={place} />
      <Rows place={place} />
      {isWhole && <PlacePhotos place={place} />}
      <Inspections place={place} />
      <MoreLikeThis place={place} />
      <AdSpot at="end" />
      <NewsletterPanel type={place.type.is_food ? 'foods' : 'news'} />
      <LateTodoReminder place={place} end={end} />
      {!place.is_closed && (
        <div className={styles.dock}>
          <PlaceControls place={place} />
          <RatingControl place={place} look="bare" />
        </div>
      )}
    </AdPage>
  )
}

/** The next events at the place, and the articles that name it. */
function Rows({ place }: { place: ListingDetail }) {
  const events = place.events ?? []
  const articles = place.articles ?? []
  if (events.length === 0 && articles.length === 0) return null
  return (
    <div className={styles.rows}>
      <EventRow title="What’s on here" events={events} />
      <ArticleShelf title="In our stories" articles={articles} />
    </div>
  )
}
