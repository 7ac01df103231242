import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import type { Found, SearchPage } from '#/api/types'
import { api, dataOf, follow } from '#/lib/http'
import { addressOf, pagesOptions } from '#/lib/pages'
import type { Page } from '#/lib/paging'
import type { Category } from './categories'

const SEARCH = '/api/v2/search/'
/** The results of all kinds that are shown together. */
const TOGETHER = '60'

export interface Search {
  words: string
  category: Category
  /** The reader's position, "lat,lng". */
  near?: string | undefined
}

/** The best results of all kinds, with what the query was understood as. */
export function resultsOptions({ words, category, near }: Search) {
  const limit = category === 'all' ? TOGETHER : undefined
  const address = addressOf(SEARCH, { q: words, category, near, limit })
  return queryOptions({
    queryKey: ['search', address],
    queryFn: ({ signal }) => follow<SearchPage>(address, signal),
  })
}

/** The results of one category, page by page, of which the first is there. */
export function resultPagesOptions({ words, category, near }: Search, first: SearchPage) {
  const address = addressOf(SEARCH, { q: words, category, near })
  const initialData = { pages: [first as Page<Found>], pageParams: [address] }
  return { ...pagesOptions<Found>(['search', 'pages', address], address), initialData }
}

/** What may be meant by what is being typed; the answer before stays until the next is there. */
export function suggestionsOptions(text: string) {
  const q = text.trim()
  return queryOptions({
    queryKey: ['suggest', q],
    queryFn: ({ signal }) =>
      dataOf(api.GET('/api/v2/search/suggest/', { params: { query: { q } }, signal })),
    enabled: q !== '',
    staleTime: 60_000,
    placeholderData: keepPreviousData,
  })
}
