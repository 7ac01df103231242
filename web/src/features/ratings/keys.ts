import { PERSONAL } from '#/lib/query-client'

export const ratingKeys = {
  /** A place's mean and votes, with the reader's own. */
  place: (listing: number) => [PERSONAL, 'ratings', 'place', listing] as const,
}
