import type { ListPath } from '#/api/types'
import type { ObjectType, SavedName } from '#/features/saved/kinds'

interface SavedObjects {
  /** The public list, which lacks withdrawn objects. */
  path: ListPath
  /** The dashboard's section in which the reader can remove withdrawn objects. */
  section: SavedName
  /** The report of one withdrawn object, and of several. */
  one: string
  many: (count: number) => string
}

/** How the dashboard finds and reports withdrawn objects of each type. */
export const SAVED_OBJECTS = {
  place: {
    path: '/api/v2/listings/',
    section: 'favourite',
    one: 'One of your saved places is no longer listed.',
    many: (count) => `${count} of your saved places are no longer listed.`,
  },
  article: {
    path: '/api/v2/articles/',
    section: 'article-bookmark',
    one: 'One of your saved articles is no longer published.',
    many: (count) => `${count} of your saved articles are no longer published.`,
  },
  video: {
    path: '/api/v2/videos/',
    section: 'video-bookmark',
    one: 'One of your saved videos is no longer published.',
    many: (count) => `${count} of your saved videos are no longer published.`,
  },
  event: {
    path: '/api/v2/events/',
    section: 'event-bookmark',
    one: 'One of your saved events is no longer listed.',
    many: (count) => `${count} of your saved events are no longer listed.`,
  },
} satisfies Record<ObjectType, SavedObjects>

export const OBJECT_TYPES = Object.keys(SAVED_OBJECTS) as ObjectType[]
