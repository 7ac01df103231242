import type { Site } from '#/api/types'
import { addressOf } from '#/lib/pages'

export type Category = 'all' | 'best_of' | 'articles' | 'places' | 'events' | 'videos'

interface Known {
  value: Category
  label: string
  /** The section that the category belongs to; "all" has none. */
  section?: string
}

/** The search categories (spec, section 2). */
const CATEGORIES: readonly Known[] = [
  { value: 'all', label: 'All' },
  { value: 'best_of', label: 'Best of', section: 'best_of' },
  { value: 'articles', label: 'Articles', section: 'articles' },
  { value: 'places', label: 'Places', section: 'listings' },
  { value: 'events', label: 'Events', section: 'events' },
  { value: 'videos', label: 'Videos', section: 'videos' },
]

export function categoriesOf(site: Site): Known[] {
  return CATEGORIES.filter(({ section }) => !section || site.sections[section])
}

/** The address of a search; `words` are not blank. A single category leads to that kind's own grid. */
export function searchAddress(category: Category, words: string, site: Site): string {
  if (category === 'all') return addressOf('/search', { q: words })
  const grids = {
    best_of: `/${site.city_slug}/`,
    articles: '/archives/',
    places: '/places/',
    events: '/events/',
    videos: '/videos/',
  }
  return addressOf(grids[category], { keywords: words })
}
