import type { Found, Site } from '#/api/types'
import { addressOf } from '#/lib/pages'

export type Category = 'all' | 'best-of' | 'articles' | 'places' | 'events' | 'videos'

interface Known {
  value: Category
  label: string
  /** The section that the category belongs to; "all" has none. */
  section?: string
}

export interface KindCategory extends Known {
  value: Exclude<Category, 'all'>
  section: string
  kind: Found['kind']
  /** The noun, singular and plural. */
  unit: readonly [string, string]
}

/** The categories of one kind, in the order of the spec, section 2. */
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

/** The category of an address; one that the site does not have is all of it. */
export function categoryOf(site: Site, value: string | undefined): Category {
  return kindsOf(site).find((known) => known.value === value)?.value ?? 'all'
}

/** The address of a search; `words` are not blank. */
export function searchAddress(category: Category, words: string): string {
  return addressOf('/search', { q: words, category: category === 'all' ? undefined : category })
}
