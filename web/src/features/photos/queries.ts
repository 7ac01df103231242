import { infiniteQueryOptions, queryOptions, type InfiniteData } from '@tanstack/react-query'
import type { ListingDetail } from '#/api/types'
import { beginning } from '#/lib/first-answers'
import { api, dataOf, follow } from '#/lib/http'
import { addressOf } from '#/lib/pages'
import { nextAddress } from '#/lib/paging'
import { photoKeys } from './keys'
import type { OwnPhoto, Photo, PhotoPage } from './types'

const PHOTOS = '/api/v2/photos/'
const OWN = '/api/v2/photos/me'
/** A place shows 5 photos first, then pages of 6 (spec, section 9). */
const FIRST_PAGE = 5
const NEXT_PAGES = 6
/** The API knows no greater offset. */
const MAX_OFFSET = 10_000

/** A place's answer with the photos that its page shows first. */
export interface WithPhotos {
  id: number
  photos?: ListingDetail['photos']
}

function photosAt(listing: number, offset: number): string {
  return addressOf(PHOTOS, {
    listing: String(listing),
    limit: String(offset === 0 ? FIRST_PAGE : NEXT_PAGES),
    ...(offset > 0 && { offset: String(offset) }),
  })
}

/** A place's photos, newest first: those that came with the place, then page by page. */
export function placePhotosOptions({ id, photos }: WithPhotos) {
  const first = photosAt(id, 0)
  return infiniteQueryOptions({
    queryKey: photoKeys.ofPlace(id),
    queryFn: ({ pageParam, signal }) => follow<PhotoPage>(pageParam, signal),
    initialPageParam: first,
    getNextPageParam: (_, pages) => {
      const loaded = pages.reduce((sum, { results }) => sum + results.length, 0)
      const hasNext = nextAddress(pages) !== undefined && loaded <= MAX_OFFSET
      return hasNext ? photosAt(id, loaded) : undefined
    },
    staleTime: 10 * 60_000,
    ...(photos && {
      initialData: (): InfiniteData<PhotoPage, string> => ({
        pages: [photos as PhotoPage],
        pageParams: [first],
      }),
    }),
  })
}

/** The offset of the page that has the photo at a position, from 0. */
export function pageOf(position: number): number {
  if (position < FIRST_PAGE) return 0
  return position - ((position - FIRST_PAGE) % NEXT_PAGES)
}

/** A page of a place's photos that the list has not reached. */
export function photoPageOptions(listing: number, offset: number) {
  return queryOptions({
    queryKey: photoKeys.page(listing, offset),
    queryFn: ({ signal }) => follow<PhotoPage>(photosAt(listing, offset), signal),
    staleTime: 10 * 60_000,
  })
}

/** A photo with its position in the place's list. */
export function photoOptions(id: number) {
  return queryOptions({
    queryKey: photoKeys.detail(id),
    queryFn: async ({ signal }) =>
      (await dataOf(
        api.GET('/api/v2/photos/{id}/', { params: { path: { id } }, signal }),
      )) as Photo,
    ...beginning(`${PHOTOS}${id}/`, (photo: Photo) => photo),
  })
}

/** Whether a photo is the signed-in reader's own: lists, which guests share, do not say. */
export function isOwnOptions(id: number) {
  return queryOptions({
    queryKey: photoKeys.isOwn(id),
    queryFn: async ({ signal }) => {
      const query = { ids: String(id), limit: 1 }
      const { results } = await dataOf(api.GET('/api/v2/photos/me', { params: { query }, signal }))
      return results.length > 0
    },
  })
}

/** The reader's own photos, newest first. */
export function ownPhotosOptions() {
  return infiniteQueryOptions({
    queryKey: photoKeys.own(),
    queryFn: ({ pageParam, signal }) => follow<PhotoPage<OwnPhoto>>(pageParam, signal),
    initialPageParam: OWN,
    getNextPageParam: (_, pages) => nextAddress(pages),
    // A photo may have been accepted or refused meanwhile.
    staleTime: 0,
  })
}
