import type { Licence, OwnPhoto, Photo, PhotoStatus, ReportReason } from './types'

type Any = Photo | OwnPhoto

/** The author of a photo. */
export function authorOf({ profile, instagram_user: guest }: Any) {
  return profile ?? guest
}

/** The alternative text of a photo. */
export function altOf(photo: Any): string {
  return photo.description || titleOf(photo)
}

/** The title of a photo's page. */
export function titleOf(photo: Any): string {
  const author = authorOf(photo)
  return author ? `${photo.listing.name}, by ${author.full_name}` : photo.listing.name
}

interface LicenceWords {
  label: string
  /** The licence's text; absent for all rights reserved. */
  href?: string
}

const CREATIVE_COMMONS = 'https://creativecommons.org'

export const LICENCES: Record<Licence, LicenceWords> = {
  'all-rights-reserved': { label: 'All rights reserved' },
  'CC-BY-4.0': { label: 'CC BY 4.0', href: `${CREATIVE_COMMONS}/licenses/by/4.0/` },
  'CC-BY-SA-4.0': { label: 'CC BY-SA 4.0', href: `${CREATIVE_COMMONS}/licenses/by-sa/4.0/` },
  'CC0-1.0': { label: 'CC0 1.0', href: `${CREATIVE_COMMONS}/publicdomain/zero/1.0/` },
}

interface StatusWords {
  label: string
  text: string
}

/** The meaning of each status of the reader's own photos. */
export const STATUSES: Record<PhotoStatus, StatusWords> = {
  processing: {
    label: 'Being prepared',
    text: 'We are making it ready. Then one of us has a look at it.',
  },
  waiting: {
    label: 'Waiting for a look',
    text: 'One of us looks at it before everybody can see it.',
  },
  published: { label: 'Published', text: 'Everybody can see it on the page of the place.' },
  refused: { label: 'Not published', text: 'Only you can see it.' },
}

export const REASONS: Record<ReportReason, string> = {
  'not-this-place': 'It does not show this place',
  offensive: 'It is offensive',
  copyright: 'It is somebody else’s work',
  privacy: 'It shows me or somebody I know',
  other: 'Something else',
}
