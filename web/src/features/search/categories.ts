import type { Found, Site } from '#/api/types'
import { addressOf } from '#/lib/api-queries'

export type Category = 'all' | 'best-of' | 'articles' | 'places' | 'events' | 'videos'

interface Known {
  value: Category
  label: string
  /** The site's section of the category; "all" has none. */
  section?: string
}

export interface KindCategory extends Known {
  value: Exclude<Category, 'all'>
  section: string
  kind: Found['kind']
  /** The noun, singular and plural. */
  unit: readonly [string, string]
}

/** The categories of one kind, in their specified order. */
const KINDS: readonly KindCategory[] = [
  {
    value: 'best-of',
    label: 'Best of',
    section: 'best_of',
    kind: 'best-of-list',
    unit: ['list', 'lists'],
  },
  {
    value: 'articles',
    label: 'Articles',
    section: 'articles',
    kind: 'article',
    unit: ['article', 'articles'],
  },
  {
    value: 'places',
    label: 'Places',
    section: 'listings',
    kind: 'listing',
    unit: ['place', 'places'],
  },
  {
    value: 'events',
    label: 'Events',
    section: 'events',
    kind: 'event',
    unit: ['event', 'events'],
  },
  {
    value: 'videos',
    label: 'Videos',
    section: 'videos',
    kind: 'video',
    unit: ['video', 'videos'],
  },
]

export function kindsOf(site: Site): readonly KindCategory[] {
  return KINDS.filter(({ section }) => site.sections[section])
}

export function categoriesOf(site: Site): Known[] {
  return [{ value: 'all', label: 'All' }, ...kindsOf(site)]
}

/** The category in an address; "all" if the site does not have it. */
export function categoryOf(site: Site, value: string | undefined): Category {
  return kindsOf(site).find((known) => known.value === value)?.value ?? 'all'
}

/** The title of a search's results, or of the search without a question. */
export function resultsTitle(words: string | undefined): string {
  return words ? `Results for “${words}”` : 'Search'
}

/** The address of a search for non-blank words. */
export function searchAddress(category: Category, words: string): string {
  return addressOf('/search', { q: words, category: category === 'all' ? undefined : category })
}
