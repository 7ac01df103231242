import { ARCHIVE_FILTERS } from '#/features/articles/archive-filters'

type Search = Record<string, unknown>
type Texts<Name extends string> = Partial<Record<Name, string | undefined>>

/** Keeps the trimmed texts of some parameters; drops empty ones. */
function texts<Name extends string>(names: readonly Name[]): (search: Search) => Texts<Name> {
  return (search) => {
    const found: Texts<Name> = {}
    for (const name of names) {
      const value = search[name]
      found[name] = (typeof value === 'string' && value.trim()) || undefined
    }
    return found
  }
}

const GRID = ['ordering', 'keywords'] as const
const PLACES = ['type', 'sub_type', 'neighbourhood', 'open_now', ...GRID] as const

/** The order and the search of a grid. */
export const gridSearch = texts(GRID)

/** The filters of a grid of places. */
export const placesSearch = texts(PLACES)

/** The filters of the grid of events. */
export const eventsSearch = texts(['when', 'free', ...GRID])

/** The time, the type and the order of open places. */
export const tonightSearch = texts(['at', 'type', 'order'])

/** The filters of the archive. */
export const archiveSearch = texts([...ARCHIVE_FILTERS, ...GRID])

/** `/contact/?advertise` counts by its presence, without a value. */
export function contactSearch(search: Search): { advertise?: '' } {
  return 'advertise' in search ? { advertise: '' } : {}
}

/** The page after the log-in or log-out: a path of this site, which `sitePath` checks. */
export function nextAddress(search: Search): { next?: string } {
  return typeof search.next === 'string' ? { next: search.next } : {}
}

/** Whether the reader has just deleted the account. */
export function isErased(search: Search): boolean {
  return String(search.erased) === '1'
}

/** The words and the category of a search. */
export const searchWords = texts(['q', 'category'])
