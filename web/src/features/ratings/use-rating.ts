import { useSyncExternalStore } from 'react'
import { useSavedValue } from '#/features/saved/use-saved'
import { thanks } from './thanks'

interface OwnRating {
  /** The displayed stars; null for a place that the reader has not rated. */
  stars: number | null
  isThanked: boolean
  confirm: (stars: number) => void
  remove: () => void
}

/** The reader's own rating of a place. */
export function useRating(listing: number): OwnRating {
  const { value, put } = useSavedValue('rating', listing)
  const thanked = useSyncExternalStore(thanks.version.subscribe, () => thanks.stars(listing))
  return {
    stars: thanked ?? (value === null ? null : Number(value)),
    isThanked: thanked !== null,
    confirm: (stars) => thanks.confirm(listing, stars),
    remove: () => {
      thanks.drop(listing)
      put(null)
    },
  }
}
