import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import type { ListingDetail } from '#/api/types'
import { addressOf, apiQuery, personalQuery, startingWith } from '#/lib/api-queries'
import { follow } from '#/lib/http'
import { nextAddress } from '#/lib/paging'
import { PERSONAL } from '#/lib/query-client'
import type { OwnPhoto, Photo, PhotoPage } from './types'

const PHOTOS = '/api/v2/photos/'
const OWN = '/api/v2/photos/me'
/** A place first shows 5 photos, then pages of 6. */
const FIRST_PAGE = 5
const NEXT_PAGES = 6
/** The API's maximum. */
const MAX_OFFSET = 10_000

/** A place with the first photos of its page. */
export interface WithPhotos {
  id: number
  photos?: ListingDetail['photos']
}

function photosAt(listing: number, offset: number): string {
  return addressOf(PHOTOS, {
    listing,
    limit: offset === 0 ? FIRST_PAGE : NEXT_PAGES,
    offset: offset > 0 ? offset : undefined,
  })
}

/** A place's photos, newest first: first the photos in the place's answer, then page by page. */
export function placePhotosOptions({ id, photos }: WithPhotos) {
  const first = photosAt(id, 0)
  return infiniteQueryOptions({
    queryKey: ['pages', first],
    queryFn: ({ pageParam, signal }) => follow<PhotoPage>(pageParam, signal),
    initialPageParam: first,
    getNextPageParam: (_, pages) => {
      const loaded = pages.reduce((sum, { results }) => sum + results.length, 0)
      const hasNext = nextAddress(pages) !== undefined && loaded <= MAX_OFFSET
      return hasNext ? photosAt(id, loaded) : undefined
    },
    staleTime: 10 * 60_000,
    ...(photos && { initialData: () => startingWith(first, photos as PhotoPage) }),
  })
}

/** The offset of the page that contains the photo at a position, from 0. */
export function pageOf(position: number): number {
  if (position < FIRST_PAGE) return 0
  return position - ((position - FIRST_PAGE) % NEXT_PAGES)
}

/** The key of all pages in the middle of a place's photos. */
export function middlePagesKey(listing: number) {
  return ['middle-pages', PHOTOS, listing] as const
}

/** A page of a place's photos beyond the loaded list. */
export function photoPageOptions(listing: number, offset: number) {
  return queryOptions({
    queryKey: [...middlePagesKey(listing), offset],
    queryFn: ({ signal }) => follow<PhotoPage>(photosAt(listing, offset), signal),
    staleTime: 10 * 60_000,
  })
}

/** A photo with its position in the place's list. */
export function photoOptions(id: number) {
  return queryOptions({
    ...apiQuery('/api/v2/photos/{id}/', { path: { id } }),
    select: (photo) => photo as Photo,
  })
}

/** Whether the signed-in reader owns a photo. Public lists, which guests share, do not contain this. */
export function isOwnOptions(id: number) {
  return queryOptions({
    ...personalQuery(OWN, { query: { ids: String(id), limit: 1 } }),
    select: ({ results }) => results.length > 0,
    staleTime: 60_000,
  })
}

/** The reader's own photos, newest first. */
export function ownPhotosOptions() {
  return infiniteQueryOptions({
    queryKey: [PERSONAL, 'pages', OWN],
    queryFn: ({ pageParam, signal }) => follow<PhotoPage<OwnPhoto>>(pageParam, signal),
    initialPageParam: OWN,
    getNextPageParam: (_, pages) => nextAddress(pages),
    // A photo may have been accepted or refused.
    staleTime: 0,
  })
}
