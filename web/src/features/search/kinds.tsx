import { queryOptions } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import type { Article, BestOfList, Event, Listing, Site, Video } from '#/api/types'
import { ArticleCard } from '#/features/articles/ArticleCard'
import { BestOfCard } from '#/features/best-of/BestOfCard'
import { EventCard } from '#/features/events/EventCard'
import { Place } from '#/features/listings/Place'
import { VideoCard } from '#/features/videos/VideoCard'
import { follow } from '#/lib/http'
import { addressOf } from '#/lib/pages'
import type { Page } from '#/lib/paging'
import type { Category } from './categories'

/** Results of one kind on the page of all kinds. */
const SHOWN = 4

interface Item {
  id: number
}

export interface Kind {
  value: Exclude<Category, 'all'>
  title: string
  section: string
  /** The call that lists them. */
  path: string
  /** Of one and of many. */
  unit: readonly [string, string]
  card: (item: Item) => ReactNode
}

function kind<T extends Item>(known: Omit<Kind, 'card'>, card: (item: T) => ReactNode): Kind {
  // The path says what its items are.
  return { ...known, card: (item) => card(item as T) }
}

const KINDS: readonly Kind[] = [
  kind<Listing>(
    {
      value: 'places',
      title: 'Places',
      section: 'listings',
      path: '/api/v2/listings/',
      unit: ['place', 'places'],
    },
    (place) => <Place place={place} />,
  ),
  kind<BestOfList>(
    {
      value: 'best_of',
      title: 'Best of',
      section: 'best_of',
      path: '/api/v2/best-of-lists/',
      unit: ['list', 'lists'],
    },
    (list) => <BestOfCard list={list} />,
  ),
  kind<Article>(
    {
      value: 'articles',
      title: 'Articles',
      section: 'articles',
      path: '/api/v2/articles/',
      unit: ['article', 'articles'],
    },
    (article) => <ArticleCard article={article} />,
  ),
  kind<Event>(
    {
      value: 'events',
      title: 'Events',
      section: 'events',
      path: '/api/v2/events/',
      unit: ['event', 'events'],
    },
    (event) => <EventCard event={event} />,
  ),
  kind<Video>(
    {
      value: 'videos',
      title: 'Videos',
      section: 'videos',
      path: '/api/v2/videos/',
      unit: ['video', 'videos'],
    },
    (video) => <VideoCard video={video} />,
  ),
]

export function kindsOf(site: Site): Kind[] {
  return KINDS.filter(({ section }) => site.sections[section])
}

export function resultsOptions({ value, path }: Kind, words: string) {
  return queryOptions({
    queryKey: ['search', value, words],
    queryFn: ({ signal }) =>
      follow<Page<Item>>(addressOf(path, { keywords: words, limit: String(SHOWN) }), signal),
  })
}
