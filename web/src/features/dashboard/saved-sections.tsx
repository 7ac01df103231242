import type { FunctionComponent } from 'react'
import { ArticleCard } from '#/features/articles/ArticleCard'
import { EventCard } from '#/features/events/EventCard'
import { PlaceCard } from '#/features/listings/PlaceCard'
import { RatedPlace } from '#/features/ratings/RatedPlace'
import { DoneButton } from '#/features/saved/DoneButton'
import type { SavedName } from '#/features/saved/kinds'
import { SavedList } from '#/features/saved/SavedList'
import { VideoCard } from '#/features/videos/VideoCard'
import { ClosedPlace } from './ClosedPlace'
import { SavedPlacesMap } from './SavedPlacesMap'

function Favourites() {
  return (
    <SavedList
      kind="favourite"
      map={(filters) => <SavedPlacesMap kind="favourite" filters={filters} />}
      words={{
        unit: ['favourite', 'favourites'],
        hint: 'Tap the heart on a place to save it here.',
        browse: { label: 'Browse places', href: '/places/' },
        unavailable: 'This place is no longer listed.',
      }}
      card={({ id, listing }, control) =>
        !('share_url' in listing) ? null : listing.is_closed ? (
          <ClosedPlace kind="favourite" recordId={id} place={listing} />
        ) : (
          <PlaceCard place={listing} action={control} />
        )
      }
    />
  )
}

function Todos() {
  return (
    <SavedList
      kind="todo"
      map={(filters) => <SavedPlacesMap kind="todo" filters={filters} />}
      words={{
        unit: ['to-do', 'to-dos'],
        hint: 'Tap the flag on a place that you want to visit, and tick it off here.',
        browse: { label: 'Browse places', href: '/places/' },
        states: { done: 'Nothing is ticked off yet.', open: 'Everything is ticked off.' },
        unavailable: 'This place is no longer listed.',
      }}
      card={({ id, listing, is_done }, control) =>
        !('share_url' in listing) ? null : listing.is_closed ? (
          <ClosedPlace kind="todo" recordId={id} place={listing} />
        ) : (
          <PlaceCard
            place={listing}
            action={
              <>
                <DoneButton objectId={listing.id} name={listing.name} wasDone={is_done} />
                {control}
              </>
            }
          />
        )
      }
    />
  )
}

function Articles() {
  return (
    <SavedList
      kind="article-bookmark"
      words={{
        unit: ['saved article', 'saved articles'],
        hint: 'Tap the bookmark on an article to read it later.',
        browse: { label: 'Read the news', href: '/news/' },
        unavailable: 'This article is no longer published.',
      }}
      card={({ article }, control) =>
        'share_url' in article ? <ArticleCard article={article} action={control} /> : null
      }
    />
  )
}

function Videos() {
  return (
    <SavedList
      kind="video-bookmark"
      words={{
        unit: ['saved video', 'saved videos'],
        hint: 'Tap the bookmark on a video to watch it later.',
        browse: { label: 'Watch videos', href: '/videos/' },
        unavailable: 'This video is no longer published.',
      }}
      card={({ video }, control) =>
        'share_url' in video ? <VideoCard video={video} action={control} /> : null
      }
    />
  )
}

function Events() {
  return (
    <SavedList
      kind="event-bookmark"
      words={{
        unit: ['saved event', 'saved events'],
        hint: 'Tap the bookmark on an event that you want to go to.',
        browse: { label: 'See what is on', href: '/events/' },
        unavailable: 'This event is no longer listed.',
      }}
      card={({ event }, control) =>
        'share_url' in event ? <EventCard event={event} action={control} /> : null
      }
    />
  )
}

function Ratings() {
  return (
    <SavedList
      kind="rating"
      isWide
      words={{
        unit: ['rated place', 'rated places'],
        verb: 'rated',
        hint: 'Pick a star on the page of a place that you know, and confirm it.',
        browse: { label: 'Browse places', href: '/places/' },
        unavailable: 'This place is no longer listed.',
      }}
      card={({ listing, rating }) =>
        'share_url' in listing ? <RatedPlace place={listing} rating={rating} /> : null
      }
    />
  )
}

/** The dashboard's list of each kind of saved thing, with the kind's card. */
export const SAVED_SECTIONS = {
  favourite: Favourites,
  todo: Todos,
  'article-bookmark': Articles,
  'video-bookmark': Videos,
  'event-bookmark': Events,
  rating: Ratings,
} satisfies Record<SavedName, FunctionComponent>
