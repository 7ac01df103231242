import type { ComponentType } from 'react'
import type { DashboardCounts, ListPath, PageItem, Site } from '#/api/types'
import { authoriseCalendar, calendarChoice } from '#/features/calendar/saving'
import { refreshAverages } from '#/features/ratings/averages'
import { api, dataOf } from '#/lib/http'
import { BookmarkIcon, FlagIcon, HeartIcon } from '#/ui/icons'
import type { MapRow, SavedAnswer, SavedValue } from './saved-map'

/** An object that can be saved: shown in the kind's list, and changed by its control. */
interface SavedObject {
  id: number
  name: string
}

interface Words {
  /** The accessible name of the round control, before the object's name. */
  control: string
  /** The labelled control while it is off, and while it is on. */
  add: string
  added: string
}

/** A kind of saved thing: everything that differs from one kind to the next. */
export interface SavedKind<Item> {
  /** The list's call; its items are {@link Item}. */
  path: ListPath
  /** The key of the map in local storage, as the spec spells it. */
  storageKey: string
  /** Its name in `hi/`. */
  field: string
  /** Its name in the dashboard's counts. */
  count: keyof DashboardCounts
  /** The site's section without which the kind does not exist; null for none. */
  section: string | null
  /** Its section of the dashboard. */
  dashboard: { hash: string; label: string }
  /** The value that a plain click saves, and that a map's row has if it names none. */
  initial: SavedValue
  /** The object of an item of the list. */
  objectOf(item: Item): SavedObject
  /** The whole map, from object to record. */
  fetchMap(): Promise<{ results: MapRow<SavedValue>[]; server_time: string | null }>
  /** Creates a record; or changes the value of the one that is given. */
  save(objectId: number, value: SavedValue, recordId: number | undefined): Promise<SavedAnswer>
  remove(recordId: number): Promise<{ response: Response }>
  /** Asks the reader before a click saves; undefined where they decide against it. */
  before?(objectId: number): Promise<SavedValue | undefined>
  /** Called after a refused save; the old state is shown again without it. */
  refused?(error: unknown, objectId: number): void
  /** Called after a change of these objects, here or on another device. */
  changed?(objectIds: readonly number[]): void
}

/** A kind that a button switches on and off. */
interface ToggledKind<Item> extends SavedKind<Item> {
  words: Words
  icon: ComponentType<{ className?: string | undefined }>
}

/** The items of each kind's list. The names are those that sign-in intents use. */
interface SavedItems {
  favourite: PageItem<'/api/v2/favourites/'>
  todo: PageItem<'/api/v2/todos/'>
  'article-bookmark': PageItem<'/api/v2/article-bookmarks/'>
  'video-bookmark': PageItem<'/api/v2/video-bookmarks/'>
  'event-bookmark': PageItem<'/api/v2/event-bookmarks/'>
  rating: PageItem<'/api/v2/ratings/'>
}

export type SavedName = keyof SavedItems
export type ToggledName = Exclude<SavedName, 'rating'>
export type SavedItem<K extends SavedName> = SavedItems[K]

/** The words of the control on articles, videos and events. */
function saving(noun: string): Words {
  return { control: 'Save', add: `Save this ${noun}`, added: 'Saved' }
}

/** A reader who leaves the page before the answer has saved or removed all the same. */
const lasting = { keepalive: true } as const

type SavedKinds = { [K in SavedName]: SavedKind<SavedItems[K]> }
type ToggledKinds = { [K in ToggledName]: ToggledKind<SavedItems[K]> }

const KINDS: SavedKinds & ToggledKinds = {
  favourite: {
    path: '/api/v2/favourites/',
    storageKey: 'favourites:listingMap',
    field: 'favourites',
    count: 'favourites',
    section: 'listings',
    dashboard: { hash: '/favourites/', label: 'Favourites' },
    words: { control: 'Favourite', add: 'Add to favourites', added: 'In your favourites' },
    icon: HeartIcon,
    initial: true,
    objectOf: (item) => item.listing,
    async fetchMap() {
      const { results, server_time } = await dataOf(api.GET('/api/v2/favourites/listing_ids/'))
      return { results: results.map(({ id, listing_id }) => [listing_id, id]), server_time }
    },
    save: (listing) => dataOf(api.POST('/api/v2/favourites/', { body: { listing }, ...lasting })),
    remove: (id) =>
      api.DELETE('/api/v2/favourites/{id}/', { params: { path: { id } }, ...lasting }),
  },
  todo: {
    path: '/api/v2/todos/',
    storageKey: 'todos:listingMap',
    field: 'todos',
    count: 'todos',
    section: 'listings',
    dashboard: { hash: '/todos/', label: 'To-dos' },
    words: { control: 'To-do', add: 'Add to to-dos', added: 'In your to-dos' },
    icon: FlagIcon,
    // A new to-do is not done.
    initial: false,
    objectOf: (item) => item.listing,
    async fetchMap() {
      const { results, server_time } = await dataOf(api.GET('/api/v2/todos/listing_ids/'))
      return {
        results: results.map(({ id, listing_id, is_done }) => [listing_id, id, is_done]),
        server_time,
      }
    },
    save: (listing, value, id) =>
      id === undefined
        ? dataOf(api.POST('/api/v2/todos/', { body: { listing }, ...lasting }))
        : dataOf(
            api.PATCH('/api/v2/todos/{id}/', {
              params: { path: { id } },
              body: { is_done: value === true },
              ...lasting,
            }),
          ),
    remove: (id) => api.DELETE('/api/v2/todos/{id}/', { params: { path: { id } }, ...lasting }),
  },
  'article-bookmark': {
    path: '/api/v2/article-bookmarks/',
    storageKey: 'article-bookmarks:articleMap',
    field: 'article-bookmarks',
    count: 'article_bookmarks',
    section: null,
    dashboard: { hash: '/articles/', label: 'Saved Articles' },
    words: saving('article'),
    icon: BookmarkIcon,
    initial: true,
    objectOf: (item) => item.article,
    fetchMap: async () => itemMap(await dataOf(api.GET('/api/v2/article-bookmarks/article_ids/'))),
    save: (object_id) =>
      dataOf(api.POST('/api/v2/article-bookmarks/', { body: { object_id }, ...lasting })),
    remove: (id) =>
      api.DELETE('/api/v2/article-bookmarks/{id}/', { params: { path: { id } }, ...lasting }),
  },
  'video-bookmark': {
    path: '/api/v2/video-bookmarks/',
    storageKey: 'video-bookmarks:videoMap',
    field: 'video-bookmarks',
    count: 'video_bookmarks',
    section: 'videos',
    dashboard: { hash: '/videos/', label: 'Saved Videos' },
    words: saving('video'),
    icon: BookmarkIcon,
    initial: true,
    objectOf: (item) => item.video,
    fetchMap: async () => itemMap(await dataOf(api.GET('/api/v2/video-bookmarks/video_ids/'))),
    save: (video) => dataOf(api.POST('/api/v2/video-bookmarks/', { body: { video }, ...lasting })),
    remove: (id) =>
      api.DELETE('/api/v2/video-bookmarks/{id}/', { params: { path: { id } }, ...lasting }),
  },
  'event-bookmark': {
    path: '/api/v2/event-bookmarks/',
    storageKey: 'event-bookmarks:eventMap',
    field: 'event-bookmarks',
    count: 'event_bookmarks',
    section: 'events',
    dashboard: { hash: '/events/', label: 'Saved Events' },
    words: saving('event'),
    icon: BookmarkIcon,
    // Whether it goes to the reader's calendar too.
    initial: false,
    objectOf: (item) => item.event,
    fetchMap: async () => itemMap(await dataOf(api.GET('/api/v2/event-bookmarks/event_ids/'))),
    save: (object_id, value) =>
      dataOf(
        api.POST('/api/v2/event-bookmarks/', {
          body: { object_id, add_to_calendar: value === true },
          ...lasting,
        }),
      ),
    remove: (id) =>
      api.DELETE('/api/v2/event-bookmarks/{id}/', { params: { path: { id } }, ...lasting }),
    before: () => calendarChoice(),
    refused: (error) => authoriseCalendar(error),
  },
  rating: {
    path: '/api/v2/ratings/',
    storageKey: 'ratings:listingMap',
    field: 'ratings',
    count: 'ratings',
    section: 'listings',
    dashboard: { hash: '/ratings/', label: 'Rated Places' },
    // Every rating has stars of its own.
    initial: 0,
    objectOf: (item) => item.listing,
    async fetchMap() {
      const { results, server_time } = await dataOf(api.GET('/api/v2/ratings/listing_ids/'))
      return {
        results: results.map(({ id, listing_id, rating }) => [listing_id, id, rating]),
        server_time,
      }
    },
    save: (listing, value, id) =>
      id === undefined
        ? dataOf(
            api.POST('/api/v2/ratings/', {
              body: { listing, rating: Number(value) },
              ...lasting,
            }),
          )
        : dataOf(
            api.PATCH('/api/v2/ratings/{id}/', {
              params: { path: { id } },
              body: { rating: Number(value) },
              ...lasting,
            }),
          ),
    remove: (id) => api.DELETE('/api/v2/ratings/{id}/', { params: { path: { id } }, ...lasting }),
    changed: (listings) => refreshAverages(listings),
  },
}

/** The map of articles, videos or events, as {@link SavedKind.fetchMap} answers it. */
function itemMap({ results, server_time }: ItemMap) {
  const rows = results.map(({ id, object_id }): MapRow<SavedValue> => [object_id, id])
  return { results: rows, server_time }
}

interface ItemMap {
  results: readonly { id: number; object_id: number }[]
  server_time: string | null
}

/** In the dashboard's order. */
export const SAVED_KINDS: SavedKinds = KINDS
export const TOGGLED_KINDS: ToggledKinds = KINDS

export const SAVED_NAMES = Object.keys(SAVED_KINDS) as SavedName[]

/** Whether a button switches things of the kind on and off; ratings have stars. */
export function isToggled<K extends SavedName>(name: K): name is K & ToggledName {
  return name !== 'rating'
}

/** The kinds that the site has: those whose section is not switched off. */
export function enabledKinds(site: Pick<Site, 'sections'> | undefined): SavedName[] {
  return SAVED_NAMES.filter((name) => {
    const { section } = SAVED_KINDS[name]
    return section === null || site?.sections[section] !== false
  })
}
