export interface ListingFilters {
  type?: string | undefined
  sub_type?: string | undefined
  neighbourhood?: string | undefined
  ordering?: string | undefined
  keywords?: string | undefined
}

export const listingKeys = {
  pages: (filters: ListingFilters) => ['listings', 'pages', filters] as const,
  editorsRow: (filters: ListingFilters, limit: number) =>
    ['listings', 'editors-row', filters, limit] as const,
  reviews: () => ['listings', 'reviews'] as const,
  detail: (id: number) => ['listings', 'detail', id] as const,
  gated: (id: number) => ['listings', 'gated', id] as const,
  inspections: (id: number) => ['listings', 'inspections', id] as const,
  types: () => ['listing-types'] as const,
  neighbourhood: (slug: string) => ['neighbourhoods', 'detail', slug] as const,
  nearest: (near: string) => ['listings', 'nearest', near] as const,
  neighbourhoods: () => ['neighbourhoods'] as const,
}
