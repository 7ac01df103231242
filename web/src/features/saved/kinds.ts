import type { ComponentType } from 'react'
import type { DashboardCounts, ListPath, PageItem, Site } from '#/api/types'
import { api, dataOf } from '#/lib/http'
import { HeartIcon } from '#/ui/icons'
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
  /** Its name in `hi/` and in the dashboard's counts. */
  field: keyof DashboardCounts
  /** The site's section without which the kind does not exist; null for none. */
  section: string | null
  /** Its section of the dashboard. */
  dashboard: { hash: string; label: string }
  words: Words
  icon: ComponentType<{ className?: string | undefined }>
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
}

/** The items of each kind's list. The names are those that sign-in intents use. */
interface SavedItems {
  favourite: PageItem<'/api/v2/favourites/'>
}

export type SavedName = keyof SavedItems
export type SavedItem<K extends SavedName> = SavedItems[K]

/** In the dashboard's order. */
export const SAVED_KINDS: { [K in SavedName]: SavedKind<SavedItems[K]> } = {
  favourite: {
    path: '/api/v2/favourites/',
    storageKey: 'favourites:listingMap',
    field: 'favourites',
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
    save: (listing) => dataOf(api.POST('/api/v2/favourites/', { body: { listing } })),
    remove: (id) => api.DELETE('/api/v2/favourites/{id}/', { params: { path: { id } } }),
  },
}

export const SAVED_NAMES = Object.keys(SAVED_KINDS) as SavedName[]

/** The kinds that the site has: those whose section is not switched off. */
export function enabledKinds(site: Pick<Site, 'sections'> | undefined): SavedName[] {
  return SAVED_NAMES.filter((name) => {
    const { section } = SAVED_KINDS[name]
    return section === null || site?.sections[section] !== false
  })
}
