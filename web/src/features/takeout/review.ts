import type { MatchedListing, TakeoutEntry, TakeoutReview } from '#/api/types'
import type { SavedName } from '#/features/saved/kinds'
import { grouped } from '#/lib/words'

/** An entry of a file, and the place of the guide that it is or may be. */
export interface Match {
  entry: TakeoutEntry
  listing: MatchedListing
}

/** The entries of a file by the quality of their matches. */
export interface Groups {
  sure: readonly Match[]
  perhaps: readonly Match[]
  none: readonly TakeoutEntry[]
  elsewhere: readonly TakeoutEntry[]
}

/** The kinds that places can be saved as. */
export type PlaceKind = SavedName & ('favourite' | 'todo')

/** Groups the entries. A place that several entries match appears once, with the surest match. */
export function groupsOf(entries: readonly TakeoutEntry[]): Groups {
  const seen = new Set<number>()
  const matches = (certainty: 'sure' | 'perhaps'): Match[] =>
    entries.flatMap((entry) => {
      const { listing } = entry
      if (entry.certainty !== certainty || !listing || seen.has(listing.id)) return []
      seen.add(listing.id)
      return [{ entry, listing }]
    })
  const others = (certainty: 'none' | 'elsewhere') =>
    entries.filter((entry) => entry.certainty === certainty)
  return {
    sure: matches('sure'),
    perhaps: matches('perhaps'),
    none: others('none'),
    elsewhere: others('elsewhere'),
  }
}

/** 1 as "1 place", 12 as "12 places". */
export function places(count: number): string {
  return count === 1 ? '1 place' : `${grouped(count)} places`
}

function is(count: number): string {
  return count === 1 ? 'is' : 'are'
}

/** The matches in a sentence: "12 found for sure, 3 perhaps; 40 are not in our guide." */
export function summaryOf({ sure, perhaps, none, elsewhere }: Groups): string {
  const found = [
    sure.length > 0 && `${grouped(sure.length)} found for sure`,
    perhaps.length > 0 && `${grouped(perhaps.length)} perhaps`,
  ]
  const absent = [
    none.length > 0 && `${grouped(none.length)} ${is(none.length)} not in our guide`,
    elsewhere.length > 0 && `${grouped(elsewhere.length)} ${is(elsewhere.length)} in other cities`,
  ]
  const parts = [found, absent].map((part) => part.filter(Boolean).join(', ')).filter(Boolean)
  return parts.length > 0 ? `${parts.join('; ')}.` : 'There are no places in it.'
}

/** The contents of a file that are not looked up, in a sentence; null if there are none. */
export function restOf({ nameless, left_out }: TakeoutReview): string | null {
  const said = [
    nameless > 0 && `${places(nameless)} without a name could not be looked up.`,
    left_out > 0 &&
      `${places(left_out)} at its end ${left_out === 1 ? 'was' : 'were'} left out: we look up 2,000 at a time.`,
  ]
  return said.filter(Boolean).join(' ') || null
}

/** The default kind: to-dos for a list of places to go to, otherwise favourites. */
export function kindFor(list: string): PlaceKind {
  return /\bwant to go\b/i.test(list) ? 'todo' : 'favourite'
}
