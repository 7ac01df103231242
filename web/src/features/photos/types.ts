import type { OwnPhoto as AnyOwnPhoto, Photo as AnyPhoto, PhotoReport } from '#/api/types'

export type Licence = 'all-rights-reserved' | 'CC-BY-4.0' | 'CC-BY-SA-4.0' | 'CC0-1.0'
export type PhotoStatus = 'processing' | 'waiting' | 'published' | 'refused'
export type ReportReason = 'not-this-place' | 'offensive' | 'copyright' | 'privacy' | 'other'

/** The fields of a photo whose sizes have been created and whose place is listed. */
type ProcessedField =
  | 'creation_date'
  | 'prism_image_url'
  | 'thumbnail_url'
  | 'whole_url'
  | 'width'
  | 'height'
  | 'share_path'

/** A public photo. */
export type Photo = Omit<AnyPhoto, ProcessedField | 'licence' | 'listing'> & {
  [Field in ProcessedField]: NonNullable<AnyPhoto[Field]>
} & { licence: Licence; listing: { id: number; name: string; share_url: string } }

/** One of the reader's own photos, which has no pictures while it is being processed. */
export type OwnPhoto = Omit<AnyOwnPhoto, 'creation_date' | 'licence' | 'status'> & {
  creation_date: string
  licence: Licence
  status: PhotoStatus
}

export interface PhotoPage<T = Photo> {
  results: T[]
  count: number
  next?: string | null
  server_time: string
}

export type ReportBody = PhotoReport & { reason: ReportReason }
