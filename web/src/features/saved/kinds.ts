import type { DashboardCounts, ListPath, PageItem, Site } from '#/api/types'
import { authoriseCalendar, calendarChoice } from '#/features/calendar/saving'
import { refreshAverages } from '#/features/ratings/averages'
import { api } from '#/lib/api'
import { dataOf } from '#/lib/http'
import type { MapRow, SaveResult, SavedValue } from './saved-map'
import { STORAGE_KEYS } from './storage-keys'
import { TOGGLES, type ToggledName } from './toggles'

/** The type of the objects that a kind saves. */
export type ObjectType = 'place' | 'article' | 'video' | 'event'

/** An object that can be saved: shown in the kind's list, and changed by its control. */
interface SavedObject {
  id: number
  name: string
}

/** A kind of saved thing: the differences between the kinds. */
export interface SavedKind<Item> {
  /** The path of the list; its items are {@link Item}. */
  path: ListPath
  /** The key of the map in local storage. */
  storageKey: string
  /** The kind's name in the answer of `hi/`. */
  field: string
  /** The kind's name in the dashboard's counts. */
  count: keyof DashboardCounts
  /** The site's section that the kind needs; null for none. */
  section: string | null
  objectType: ObjectType
  /** The kind's section of the dashboard. */
  dashboard: { hash: string; label: string }
  /** The value that a plain click saves, and the default of the map's rows. */
  initial: SavedValue
  /** The object of an item of the list. */
  objectOf(item: Item): SavedObject
  /** The whole map, from object to record. */
  fetchMap(): Promise<{ results: MapRow<SavedValue>[]; server_time: string | null }>
  /** Creates a record, or changes the value of the given one. */
  save(objectId: number, value: SavedValue, recordId: number | undefined): Promise<SaveResult>
  remove(recordId: number): Promise<{ response: Response }>
  /** Asks the reader before a click saves; undefined cancels the save. */
  confirm?(objectId: number): Promise<SavedValue | undefined>
  /** Called after a refused save. Without this function, the control only reverts. */
  onRefused?(error: unknown, objectId: number): void
  /** Called after a change of these objects, here or on another device. */
  onChanged?(objectIds: readonly number[]): void
}

/** The items of each kind's list. Sign-in intents use the same names. */
interface SavedItems {
  favourite: PageItem<'/api/v2/favourites/'>
  todo: PageItem<'/api/v2/todos/'>
  'article-bookmark': PageItem<'/api/v2/article-bookmarks/'>
  'video-bookmark': PageItem<'/api/v2/video-bookmarks/'>
  'event-bookmark': PageItem<'/api/v2/event-bookmarks/'>
  rating: PageItem<'/api/v2/ratings/'>
}

export type SavedName = keyof SavedItems
export type SavedItem<K extends SavedName> = SavedItems[K]

/** The request continues if the reader leaves the page. */
const keepalive = { keepalive: true } as const

type SavedKinds = { [K in SavedName]: SavedKind<SavedItems[K]> }

/** All kinds, in the dashboard's order. */
export const SAVED_KINDS: SavedKinds = {
  favourite: {
    path: '/api/v2/favourites/',
    storageKey: STORAGE_KEYS.favourite,
    field: 'favourites',
    count: 'favourites',
    section: 'listings',
    objectType: 'place',
    dashboard: { hash: '/favourites/', label: 'Favourites' },
    initial: true,
    objectOf: (item) => item.listing,
    async fetchMap() {
      const { results, server_time } = await dataOf(api.GET('/api/v2/favourites/listing_ids/'))
      return { results: results.map(({ id, listing_id }) => [listing_id, id]), server_time }
    },
    save: (listing) => dataOf(api.POST('/api/v2/favourites/', { body: { listing }, ...keepalive })),
    remove: (id) =>
      api.DELETE('/api/v2/favourites/{id}/', { params: { path: { id } }, ...keepalive }),
  },
  todo: {
    path: '/api/v2/todos/',
    storageKey: STORAGE_KEYS.todo,
    field: 'todos',
    count: 'todos',
    section: 'listings',
    objectType: 'place',
    dashboard: { hash: '/todos/', label: 'To-dos' },
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
        ? dataOf(api.POST('/api/v2/todos/', { body: { listing }, ...keepalive }))
        : dataOf(
            api.PATCH('/api/v2/todos/{id}/', {
              params: { path: { id } },
              body: { is_done: value === true },
              ...keepalive,
            }),
          ),
    remove: (id) => api.DELETE('/api/v2/todos/{id}/', { params: { path: { id } }, ...keepalive }),
  },
  'article-bookmark': {
    path: '/api/v2/article-bookmarks/',
    storageKey: STORAGE_KEYS['article-bookmark'],
    field: 'article-bookmarks',
    count: 'article_bookmarks',
    section: null,
    objectType: 'article',
    dashboard: { hash: '/articles/', label: 'Saved Articles' },
    initial: true,
    objectOf: (item) => item.article,
    fetchMap: async () => itemMap(await dataOf(api.GET('/api/v2/article-bookmarks/article_ids/'))),
    save: (object_id) =>
      dataOf(api.POST('/api/v2/article-bookmarks/', { body: { object_id }, ...keepalive })),
    remove: (id) =>
      api.DELETE('/api/v2/article-bookmarks/{id}/', { params: { path: { id } }, ...keepalive }),
  },
  'video-bookmark': {
    path: '/api/v2/video-bookmarks/',
    storageKey: STORAGE_KEYS['video-bookmark'],
    field: 'video-bookmarks',
    count: 'video_bookmarks',
    section: 'videos',
    objectType: 'video',
    dashboard: { hash: '/videos/', label: 'Saved Videos' },
    initial: true,
    objectOf: (item) => item.video,
    fetchMap: async () => itemMap(await dataOf(api.GET('/api/v2/video-bookmarks/video_ids/'))),
    save: (video) =>
      dataOf(api.POST('/api/v2/video-bookmarks/', { body: { video }, ...keepalive })),
    remove: (id) =>
      api.DELETE('/api/v2/video-bookmarks/{id}/', { params: { path: { id } }, ...keepalive }),
  },
  'event-bookmark': {
    path: '/api/v2/event-bookmarks/',
    storageKey: STORAGE_KEYS['event-bookmark'],
    field: 'event-bookmarks',
    count: 'event_bookmarks',
    section: 'events',
    objectType: 'event',
    dashboard: { hash: '/events/', label: 'Saved Events' },
    // By default, the event is not added to the reader's calendar.
    initial: false,
    objectOf: (item) => item.event,
    fetchMap: async () => itemMap(await dataOf(api.GET('/api/v2/event-bookmarks/event_ids/'))),
    save: (object_id, value) =>
      dataOf(
        api.POST('/api/v2/event-bookmarks/', {
          body: { object_id, add_to_calendar: value === true },
          ...keepalive,
        }),
      ),
    remove: (id) =>
      api.DELETE('/api/v2/event-bookmarks/{id}/', { params: { path: { id } }, ...keepalive }),
    confirm: () => calendarChoice(),
    onRefused: (error) => authoriseCalendar(error),
  },
  rating: {
    path: '/api/v2/ratings/',
    storageKey: STORAGE_KEYS.rating,
    field: 'ratings',
    count: 'ratings',
    section: 'listings',
    objectType: 'place',
    dashboard: { hash: '/ratings/', label: 'Rated Places' },
    // Never used: every rating has its own stars.
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
              ...keepalive,
            }),
          )
        : dataOf(
            api.PATCH('/api/v2/ratings/{id}/', {
              params: { path: { id } },
              body: { rating: Number(value) },
              ...keepalive,
            }),
          ),
    remove: (id) => api.DELETE('/api/v2/ratings/{id}/', { params: { path: { id } }, ...keepalive }),
    onChanged: (listings) => refreshAverages(listings),
  },
}

/** The rows of articles, videos or events for {@link SavedKind.fetchMap}. */
function itemMap({ results, server_time }: ItemMap) {
  const rows = results.map(({ id, object_id }): MapRow<SavedValue> => [object_id, id])
  return { results: rows, server_time }
}

interface ItemMap {
  results: readonly { id: number; object_id: number }[]
  server_time: string | null
}

export const SAVED_NAMES = Object.keys(SAVED_KINDS) as SavedName[]
export const TOGGLED_NAMES = SAVED_NAMES.filter(isToggled)

/** Whether a button toggles things of the kind; ratings have stars. */
export function isToggled<K extends SavedName>(name: K): name is K & ToggledName {
  return name in TOGGLES
}

/** The kinds that the site has. */
export function enabledKinds(site: Pick<Site, 'sections'> | undefined): SavedName[] {
  return SAVED_NAMES.filter((name) => {
    const { section } = SAVED_KINDS[name]
    return section === null || site?.sections[section] !== false
  })
}
