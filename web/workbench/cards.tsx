import type { ReactNode } from 'react'
import type { Article, BestOfList, Contest, Event, Listing, Video } from '#/api/types'
import { ArticleCard } from '#/features/articles/ArticleCard'
import { BestOfCard } from '#/features/best-of/BestOfCard'
import { ContestCard } from '#/features/contests/ContestCard'
import { EventCard } from '#/features/events/EventCard'
import { PlaceCard } from '#/features/listings/PlaceCard'
import { VideoCard } from '#/features/videos/VideoCard'
import type { States } from './states'

const LOOKS = ['card', 'cover', 'lead', 'second', 'line'] as const

const item = {
  id: 1,
  name: 'Where the streetcar turns',
  excerpt: 'An evening at the end of the line.',
  share_url: '/articles/where-the-streetcar-turns/',
  date_published: '2026-11-01T12:00:00Z',
  published_on: 'November 1, 2026',
  is_age_restricted: false,
  authors: [],
  tags: [{ name: 'Transit', slug: 'transit' }],
}
const gated = { is_age_restricted: true }

const article: Article = { ...item, section: { name: 'News', slug: 'news', share_url: '/news/' } }
const list: BestOfList = {
  id: 1,
  name: 'The best patios',
  slug: 'patios',
  intro: '',
  line: 'Ten yards of sun.',
  count: 10,
  share_url: '/toronto/the-best-patios/',
}
const contest: Contest = {
  ...item,
  opens_at: '2026-11-01T04:00:00Z',
  closes_at: '2999-12-01T05:00:00Z',
  has_closed: false,
  question: '',
  rules: '',
}
const event: Event = {
  ...item,
  address: '1 Front Street',
  calendar_day: { weekday: 'Sat', day: '28', month: 'Nov' },
  category_name: 'Music',
  days: 'Saturday, November 28, 2026',
  hours: '8 p.m.',
  is_all_day: false,
  is_free: true,
  price: '',
  start_time: '8 p.m.',
  timezone: 'America/Toronto',
  venue: 'The Loop',
}
const place: Listing = {
  id: 1,
  name: 'The Streetcar Loop',
  appears_in_best_of_lists: [],
  is_closed: false,
  share_url: '/places/the-streetcar-loop/',
  type: {
    id: 3,
    name: 'Cafés',
    name_singular: 'Café',
    share_url: '/cafes/',
    is_age_restricted: false,
    is_food: true,
  },
  default_neighborhood: { name: 'Harbour', share_url: '/neighbourhoods/harbour/' },
  voters: 0,
}
const video: Video = {
  ...item,
  duration: '2:05',
  duration_seconds: 125,
  duration_spoken: '2 minutes 5 seconds',
  source_url: 'https://example.com/video',
}

/** A card in each of its looks. */
const looks = (card: (look: (typeof LOOKS)[number]) => ReactNode) =>
  Object.fromEntries(LOOKS.map((look) => [look, card(look)]))

/** The states of each feature's card. */
export const CARDS: States = {
  ArticleCard: {
    ...looks((look) => <ArticleCard article={article} look={look} />),
    restricted: <ArticleCard article={{ ...article, ...gated }} />,
    'in its section': <ArticleCard article={article} isInItsSection />,
  },
  BestOfCard: {
    ...looks((look) => <BestOfCard list={list} look={look} />),
    'one place': <BestOfCard list={{ ...list, count: 1 }} />,
  },
  ContestCard: {
    ...looks((look) => <ContestCard contest={contest} look={look} />),
    closed: <ContestCard contest={{ ...contest, has_closed: true }} />,
    upcoming: <ContestCard contest={{ ...contest, opens_at: '2999-11-01T04:00:00Z' }} />,
  },
  EventCard: {
    ...looks((look) => <EventCard event={event} look={look} />),
    restricted: <EventCard event={{ ...event, ...gated, is_free: false, price: '$20' }} />,
  },
  PlaceCard: {
    ...looks((look) => <PlaceCard place={place} look={look} />),
    'with votes': <PlaceCard place={{ ...place, rating: 4.5, voters: 1234 }} />,
    closed: <PlaceCard place={{ ...place, is_closed: true }} />,
  },
  VideoCard: {
    ...looks((look) => <VideoCard video={video} look={look} />),
    restricted: <VideoCard video={{ ...video, ...gated, duration_seconds: 0 }} />,
  },
}
