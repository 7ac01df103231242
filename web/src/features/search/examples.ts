import type { Site } from '#/api/types'

/** Example searches for a time or a place, each with the section that it needs. */
const EXAMPLES = [
  { words: 'coffee near me', section: 'listings' },
  { words: 'restaurants open now', section: 'listings' },
  { words: 'events this weekend', section: 'events' },
  { words: 'free this weekend', section: 'events' },
  { words: 'best patios', section: 'best_of' },
] as const

/** The example searches of a site. */
export function exampleSearches(site: Pick<Site, 'sections'>): string[] {
  return EXAMPLES.filter(({ section }) => site.sections[section]).map(({ words }) => words)
}
