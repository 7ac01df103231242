import { PERSONAL } from '#/lib/query-client'

export const photoKeys = {
  detail: (id: number) => ['photos', 'detail', id] as const,
  /** A place's photos, as far as they have been loaded. */
  ofPlace: (listing: number) => ['photos', 'place', listing] as const,
  /** Pages in the middle of a place's photos. */
  pages: (listing: number) => ['photos', 'page', listing] as const,
  /** A page in the middle of a place's photos, for the viewer. */
  page: (listing: number, offset: number) => ['photos', 'page', listing, offset] as const,
  own: () => [PERSONAL, 'photos', 'list'] as const,
  /** Whether the reader has uploaded a photo. */
  isOwn: (id: number) => [PERSONAL, 'photos', 'own', id] as const,
}
