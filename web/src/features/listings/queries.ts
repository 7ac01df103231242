import { infiniteQueryOptions, queryOptions, useQuery } from '@tanstack/react-query'
import type { Inspection, Listing, ListingDetail } from '#/api/types'
import { apiQuery, pagesQuery, resultsOf, startingWith } from '#/lib/api-queries'
import { follow } from '#/lib/http'
import { nextAddress, type Page } from '#/lib/paging'
import type { QueryState } from '#/ui/Loaded'

export interface ListingFilters {
  type?: string | undefined
  sub_type?: string | undefined
  neighbourhood?: string | undefined
  open_now?: string | undefined
  ordering?: string | undefined
  keywords?: string | undefined
}

export const DEFAULT_ORDERING = '-date_published'
const LISTINGS = '/api/v2/listings/'
/** The additional parts of a place's page. */
const INCLUDE = 'recent,best_of,similar,photos,inspections,articles,events'
const LATEST_REVIEWED = '-date_reviewed'

export const ORDERINGS = [
  { value: DEFAULT_ORDERING, label: 'Newest first' },
  { value: 'date_published', label: 'Oldest first' },
  { value: '-rating', label: 'Best rated' },
  { value: 'name', label: 'Name, A to Z' },
  { value: '-name', label: 'Name, Z to A' },
] as const

export function listingPagesOptions(filters: ListingFilters) {
  return pagesQuery(LISTINGS, { ...filters })
}

/** The number of latest reviewed places that a place's answer includes. */
export const INCLUDED_REVIEWS = 9

/** The latest reviewed places after the places that a place's answer includes. */
export function moreReviewsOptions() {
  const query = { reviewed: 1, ordering: LATEST_REVIEWED, offset: INCLUDED_REVIEWS }
  return pagesQuery(LISTINGS, query)
}

/** For front pages: the latest reviewed places of a type or of all types, filled up with the newest others. */
export function useEditorsRow(
  type: string | undefined,
  limit: number,
  enabled = true,
): QueryState<Listing[]> {
  const rowOptions = (ordering: string) => apiQuery(LISTINGS, { query: { type, ordering, limit } })
  const reviewed = useQuery({ ...rowOptions(LATEST_REVIEWED), enabled })
  const isShort = reviewed.data !== undefined && reviewed.data.results.length < limit
  const newest = useQuery({ ...rowOptions(DEFAULT_ORDERING), enabled: enabled && isShort })
  const data = !isShort
    ? reviewed.data?.results
    : newest.data && withNewest(reviewed.data.results, newest.data.results, limit)
  if (reviewed.isError || !isShort)
    return { data, error: reviewed.error, refetch: reviewed.refetch }
  return { data, error: newest.error, refetch: newest.refetch }
}

function withNewest(reviewed: Listing[], newest: Listing[], limit: number): Listing[] {
  const known = new Set(reviewed.map((place) => place.id))
  return [...reviewed, ...newest.filter((place) => !known.has(place.id))].slice(0, limit)
}

export function listingOptions(id: number) {
  return apiQuery('/api/v2/listings/{id}/', { path: { id }, query: { include: INCLUDE } })
}

/** A place's inspections, the latest first: first the inspections in the place's answer, then page by page. */
export function inspectionPagesOptions({
  id,
  inspections,
}: Pick<ListingDetail, 'id' | 'inspections'>) {
  const first = `${LISTINGS}${id}/inspections/`
  return infiniteQueryOptions({
    queryKey: ['pages', first],
    queryFn: ({ pageParam, signal }) => follow<Page<Inspection>>(pageParam, signal),
    initialPageParam: first,
    getNextPageParam: (_, pages) => nextAddress(pages),
    staleTime: 10 * 60_000,
    // The place's answer includes the first page; only later ones are fetched.
    enabled: false,
    ...(inspections && { initialData: () => startingWith<Page<Inspection>>(first, inspections) }),
  })
}

/** A place of an age-restricted type in full, for a reader who has confirmed their age. */
export function gatedListingOptions(id: number, headers: Record<string, string>) {
  return apiQuery('/api/v2/listings/{id}/gated/', { path: { id } }, headers)
}

export function listingTypesOptions() {
  return queryOptions({
    ...apiQuery('/api/v2/listing-types/'),
    select: resultsOf,
    staleTime: 10 * 60_000,
  })
}

/** The content of a neighbourhood's page. */
export function portraitOptions(slug: string) {
  return apiQuery('/api/v2/neighbourhoods/{slug}/portrait/', { path: { slug } })
}

export function neighbourhoodsOptions() {
  return queryOptions({
    ...apiQuery('/api/v2/neighbourhoods/'),
    select: resultsOf,
    staleTime: 10 * 60_000,
  })
}
