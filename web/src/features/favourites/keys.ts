import { PERSONAL } from '#/lib/query-client'

export interface FavouriteFilters {
  ordering: string
  keywords: string
}

export const favouriteKeys = {
  lists: () => [PERSONAL, 'favourites', 'list'] as const,
  list: (filters: FavouriteFilters) => [...favouriteKeys.lists(), filters] as const,
  counts: () => [PERSONAL, 'favourites', 'counts'] as const,
}
