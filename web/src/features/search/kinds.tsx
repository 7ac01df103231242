import { queryOptions } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import type { ListPath, PageItem, Site } from '#/api/types'
import { ArticleCard } from '#/features/articles/ArticleCard'
import { BestOfCard } from '#/features/best-of/BestOfCard'
import { EventCard } from '#/features/events/EventCard'
import { Place } from '#/features/listings/Place'
import { VideoCard } from '#/features/videos/VideoCard'
import { follow } from '#/lib/http'
import { addressOf } from '#/lib/pages'
import type { Page } from '#/lib/paging'
import type { Category } from './categories'

/** Results shown per kind. */
const SHOWN = 4

interface Item {
  id: number
}

export interface Kind {
  value: Exclude<Category, 'all'>
  title: string
  section: string
  /** The call that lists them. */
  path: ListPath
  /** The noun, singular and plural. */
  unit: readonly [string, string]
  card: (item: Item) => ReactNode
}

/** The card's item type follows from the path. */
function kind<P extends ListPath>(
  known: Omit<Kind, 'card'> & { path: P },
  card: (item: PageItem<P>) => ReactNode,
): Kind {
  return { ...known, card: (item) => card(item as PageItem<P>) }
}

const KINDS: readonly Kind[] = [
  kind(
    {
      value: 'places',
      title: 'Places',
      section: 'listings',
      path: '/api/v2/listings/',
      unit: ['place', 'places'],
    },
    (place) => <Place place={place} />,
  ),
  kind(
    {
      value: 'best_of',
      title: 'Best of',
      section: 'best_of',
      path: '/api/v2/best-of-lists/',
      unit: ['list', 'lists'],
    },
    (list) => <BestOfCard list={list} />,
  ),
  kind(
    {
      value: 'articles',
      title: 'Articles',
      section: 'articles',
      path: '/api/v2/articles/',
      unit: ['article', 'articles'],
    },
    (article) => <ArticleCard article={article} />,
  ),
  kind(
    {
      value: 'events',
      title: 'Events',
      section: 'events',
      path: '/api/v2/events/',
      unit: ['event', 'events'],
    },
    (event) => <EventCard event={event} />,
  ),
  kind(
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
