import type { Listing } from '#/api/types'
import { FEW } from '#/features/grid/few'

// The gateway's `content/opening.rs` has the same rules.

/** Maximum number of best-of lists. */
const LISTS = 4
/** Maximum number of sub-types. */
const SUB_TYPES = 8

interface FirstPage {
  results: readonly Listing[]
  count: number
}

/** The first open place with a picture and a line that is not shown above; undefined if the list is short. */
export function leadOf(
  { results, count }: FirstPage,
  above: readonly Listing[] = [],
): Listing | undefined {
  if (count <= FEW) return undefined
  const ids = above.map((place) => place.id)
  return results.find(
    (place) => place.image_url && place.line && !place.is_closed && !ids.includes(place.id),
  )
}

interface RankingList {
  name: string
  href: string
  /** The best rank of the places, and the place that has it. */
  rank: number
  place: string
  /** The number of places that the list ranks. */
  count: number
}

/** The best-of lists that rank places, those that rank most first. */
export function listsOf(places: readonly Listing[]): RankingList[] {
  const lists = new Map<string, RankingList>()
  for (const place of places) {
    for (const { name, share_url: href, rank } of place.appears_in_best_of_lists) {
      const known = lists.get(href)
      const best = known && known.rank <= rank ? known : { name, href, rank, place: place.name }
      lists.set(href, { ...best, count: (known?.count ?? 0) + 1 })
    }
  }
  return [...lists.values()].sort((one, other) => other.count - one.count).slice(0, LISTS)
}

/** Links to the sub-types of places, each once. */
export function subTypesOf(places: readonly Listing[]): { name: string; href: string }[] {
  const links = new Map<string, string>()
  for (const { sub_type: type } of places) if (type) links.set(type.share_url, type.name)
  return [...links].map(([href, name]) => ({ href, name })).slice(0, SUB_TYPES)
}
