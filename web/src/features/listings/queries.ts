import { infiniteQueryOptions, queryOptions, type InfiniteData } from '@tanstack/react-query'
import type { Inspection, Listing, ListingDetail, ListingType, Neighbourhood } from '#/api/types'
import { beginning, firstAnswer } from '#/lib/first-answers'
import { api, dataOf, follow } from '#/lib/http'
import { addressOf, pagesOptions } from '#/lib/pages'
import { nextAddress, type Page } from '#/lib/paging'
import { listingKeys, type ListingFilters } from './keys'

export const DEFAULT_ORDERING = '-date_published'
const LISTINGS = '/api/v2/listings/'
/** The parts that a place's page shows beside the place. */
const INCLUDE = 'recent,best_of,similar,photos,inspections'
const LATEST_REVIEWED = '-date_reviewed'

export const ORDERINGS = [
  { value: DEFAULT_ORDERING, label: 'Newest first' },
  { value: 'date_published', label: 'Oldest first' },
  { value: 'name', label: 'Name, A to Z' },
  { value: '-name', label: 'Name, Z to A' },
] as const

export function listingPagesOptions(filters: ListingFilters) {
  const first = addressOf(LISTINGS, { ...filters })
  return pagesOptions<Listing>(listingKeys.pages(filters), first)
}

/** How many of the latest reviewed places come with a place. */
export const INCLUDED_REVIEWS = 12

/** The latest reviewed places after those that come with a place. */
export function moreReviewsOptions() {
  const query = { reviewed: '1', ordering: LATEST_REVIEWED, offset: String(INCLUDED_REVIEWS) }
  return pagesOptions<Listing>(listingKeys.reviews(), addressOf(LISTINGS, query))
}

/** For front pages: the latest reviewed places, filled up with the newest others. */
export function editorsRowOptions(filters: ListingFilters, limit: number) {
  const address = (ordering: string) =>
    addressOf(LISTINGS, { ...filters, ordering, limit: String(limit) })
  return queryOptions({
    queryKey: listingKeys.editorsRow(filters, limit),
    queryFn: async ({ signal }) => {
      const row = async (ordering: string) => {
        const query = { ...(filters as Record<string, string>), ordering, limit }
        return (await dataOf(api.GET('/api/v2/listings/', { params: { query }, signal }))).results
      }
      const reviewed = await row(LATEST_REVIEWED)
      if (reviewed.length >= limit) return reviewed
      return withNewest(reviewed, await row(DEFAULT_ORDERING), limit)
    },
    ...beginning(address(LATEST_REVIEWED), ({ results: reviewed }: Results) => {
      if (reviewed.length >= limit) return reviewed
      const newest = firstAnswer(address(DEFAULT_ORDERING)) as Results | undefined
      return newest && withNewest(reviewed, newest.results, limit)
    }),
  })
}

interface Results {
  results: Listing[]
}

function withNewest(reviewed: Listing[], newest: Listing[], limit: number): Listing[] {
  const known = new Set(reviewed.map((place) => place.id))
  return [...reviewed, ...newest.filter((place) => !known.has(place.id))].slice(0, limit)
}

export function listingOptions(id: number) {
  return queryOptions({
    queryKey: listingKeys.detail(id),
    queryFn: ({ signal }) =>
      dataOf(
        api.GET('/api/v2/listings/{id}/', {
          params: { path: { id }, query: { include: INCLUDE } },
          signal,
        }),
      ),
    ...beginning(
      addressOf(`${LISTINGS}${id}/`, { include: INCLUDE }),
      (place: ListingDetail) => place,
    ),
  })
}

/** A place's inspections, the latest first: those that came with the place, then page by page. */
export function inspectionPagesOptions({
  id,
  inspections,
}: Pick<ListingDetail, 'id' | 'inspections'>) {
  const first = `${LISTINGS}${id}/inspections/`
  return infiniteQueryOptions({
    queryKey: listingKeys.inspections(id),
    queryFn: ({ pageParam, signal }) => follow<Page<Inspection>>(pageParam, signal),
    initialPageParam: first,
    getNextPageParam: (_, pages) => nextAddress(pages),
    staleTime: 10 * 60_000,
    // A place comes with its first page; only the next ones are fetched.
    enabled: false,
    ...(inspections && {
      initialData: (): InfiniteData<Page<Inspection>, string> => ({
        pages: [inspections],
        pageParams: [first],
      }),
    }),
  })
}

/** A place of an age-restricted type in full, for a reader who has confirmed their age. */
export function gatedListingOptions(id: number, headers: Record<string, string>) {
  return queryOptions({
    queryKey: listingKeys.gated(id),
    queryFn: ({ signal }) =>
      dataOf(
        api.GET('/api/v2/listings/{id}/gated/', { params: { path: { id } }, headers, signal }),
      ),
  })
}

export function listingTypesOptions() {
  return queryOptions({
    queryKey: listingKeys.types(),
    queryFn: async ({ signal }) =>
      (await dataOf(api.GET('/api/v2/listing-types/', { signal }))).results,
    staleTime: 10 * 60_000,
    ...beginning('/api/v2/listing-types/', (all: { results: ListingType[] }) => all.results),
  })
}

export function neighbourhoodsOptions() {
  return queryOptions({
    queryKey: listingKeys.neighbourhoods(),
    queryFn: async ({ signal }) =>
      (await dataOf(api.GET('/api/v2/neighbourhoods/', { signal }))).results,
    staleTime: 10 * 60_000,
    ...beginning('/api/v2/neighbourhoods/', (all: { results: Neighbourhood[] }) => all.results),
  })
}
