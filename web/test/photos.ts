import type { OwnPhoto, Photo, PhotoPage } from '#/features/photos/types'
import { AT } from './reader'

/** The place whose photos the tests show. */
export const PLACE = { id: 9, name: 'Pai', share_url: '/restaurants/pai/' }

export function photosFrom(first: number, count: number): number[] {
  return Array.from({ length: count }, (_, index) => first + index)
}

export function photoOf(id: number): Photo {
  return {
    id,
    listing: PLACE,
    prism_image_url: `/media/photos/${id}/prism`,
    thumbnail_url: `/media/photos/${id}/thumbnail`,
    whole_url: `/media/photos/${id}/whole`,
    width: 1600,
    height: 1200,
    thumbhash: '3OcRJYB4d3h/iIeHeEh3eIhw+j2w',
    description: `Photo ${id}`,
    credit: 'Robin Ames',
    licence: 'CC-BY-4.0',
    share_path: `${PLACE.share_url}photos/${id}`,
    creation_date: AT,
    profile: { full_name: 'Robin Ames', avatar_url: null },
    instagram_user: null,
    index: null,
    total: null,
  }
}

export function ownPhotoOf(id: number, own: Partial<OwnPhoto> = {}): OwnPhoto {
  return { ...photoOf(id), status: 'published', reason: null, ...own }
}

/** A page of the photos with these ids. */
export function pageOfPhotos(ids: readonly number[], offset: number, limit: number): PhotoPage {
  const next = offset + limit
  return {
    results: ids.slice(offset, next).map(photoOf),
    count: ids.length,
    next: next < ids.length ? `/api/v2/photos/?listing=9&limit=${limit}&offset=${next}` : null,
    server_time: AT,
  }
}
