import { expect, type APIRequestContext, type Page } from '@playwright/test'
import { results } from './catalogue'

/** A kind of thing that a button saves. */
export interface Kind {
  /** The kind's name in sign-in intents. */
  action: string
  /** A page that lists things of the kind. */
  page: string
  /** The control's name before the thing's name. */
  control: string
  /** The path of its calls, and its map's key in local storage. */
  api: string
  map: string
  /** The field of the thing's id in a save. */
  field: string
  section: string
  empty: string
}

export const FAVOURITE: Kind = {
  action: 'favourite',
  page: '/places/',
  control: 'Favourite',
  api: 'favourites',
  map: 'favourites:listingMap',
  field: 'listing',
  section: 'favourites',
  empty: 'You have no favourites yet.',
}

export const KINDS: readonly Kind[] = [
  FAVOURITE,
  {
    action: 'todo',
    page: '/toronto/bars/',
    control: 'To-do',
    api: 'todos',
    map: 'todos:listingMap',
    field: 'listing',
    section: 'todos',
    empty: 'You have no to-dos yet.',
  },
  {
    action: 'article-bookmark',
    page: '/news/',
    control: 'Save',
    api: 'article-bookmarks',
    map: 'article-bookmarks:articleMap',
    field: 'object_id',
    section: 'articles',
    empty: 'You have no saved articles yet.',
  },
  {
    action: 'video-bookmark',
    page: '/videos/',
    control: 'Save',
    api: 'video-bookmarks',
    map: 'video-bookmarks:videoMap',
    field: 'video',
    section: 'videos',
    empty: 'You have no saved videos yet.',
  },
  {
    action: 'event-bookmark',
    page: '/events/',
    control: 'Save',
    api: 'event-bookmarks',
    map: 'event-bookmarks:eventMap',
    field: 'object_id',
    section: 'events',
    empty: 'You have no saved events yet.',
  },
]

/** The path at which things of a kind are saved. */
export const callOf = ({ api }: Kind): string => `/api/v2/${api}/`

/** The first control of a kind on the page, by its full name, since another control may become the first. */
export async function firstControl(page: Page, { control }: Kind) {
  const first = page.getByRole('button', { name: new RegExp(`^${control} `) }).first()
  await expect(first).toBeVisible()
  const label = (await first.getAttribute('aria-label')) ?? ''
  return {
    name: label.slice(control.length + 1),
    button: (where: Page) => where.getByRole('button', { name: label, exact: true }).first(),
  }
}

/** The number of things of a kind that the server has saved for the reader. */
export async function countSaved(page: Page, kind: Kind, site = ''): Promise<number> {
  const answer = await page.request.get(site + callOf(kind))
  return ((await answer.json()) as { count: number }).count
}

/** The things that a kind can save: places that are open to all, or the newest other things. */
export async function savable(request: APIRequestContext, kind: Kind, limit: number) {
  const places = 'listings/?is_closed=0&'
  const list = { favourites: places, todos: places, 'article-bookmarks': 'articles/?' }[kind.api]
  const path = list ?? `${kind.page.slice(1)}?`
  return results<{ id: number; name: string; share_url: string }>(
    request,
    `/api/v2/${path}limit=${limit}`,
  )
}
