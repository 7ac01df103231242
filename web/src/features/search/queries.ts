import { keepPreviousData } from '@tanstack/react-query'
import type { Found, SearchPage } from '#/api/types'
import { apiQuery, pagesQuery, startingWith } from '#/lib/api-queries'
import type { Page } from '#/lib/paging'
import type { Category } from './categories'

const SEARCH = '/api/v2/search/'
/** The number of results if all kinds are shown. */
const MAX_RESULTS = 60

export interface Search {
  words: string
  category: Category
  /** The reader's position, "lat,lng". */
  near?: string | undefined
}

/** The best results, with the interpretation of the query. */
export function resultsOptions({ words, category, near }: Search) {
  const limit = category === 'all' ? MAX_RESULTS : undefined
  return apiQuery(SEARCH, { query: { q: words, category, near, limit } })
}

/** The pages of results of one category, whose first page is loaded. */
export function resultPagesOptions({ words, category, near }: Search, first: SearchPage) {
  const pages = pagesQuery(SEARCH, { q: words, category, near })
  return { ...pages, initialData: startingWith(pages.initialPageParam, first as Page<Found>) }
}

/** Suggestions for unfinished text; the previous suggestions stay until the next arrive. */
export function suggestionsOptions(text: string) {
  const q = text.trim()
  return {
    ...apiQuery('/api/v2/search/suggest/', { query: { q } }),
    enabled: q !== '',
    placeholderData: keepPreviousData,
  }
}
