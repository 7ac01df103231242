import { PERSONAL } from '#/lib/query-client'
import type { SavedName } from './kinds'

export interface SavedFilters {
  ordering: string
  keywords: string
}

export const savedKeys = {
  lists: (kind: SavedName) => [PERSONAL, 'saved', kind, 'list'] as const,
  list: (kind: SavedName, filters: SavedFilters) => [...savedKeys.lists(kind), filters] as const,
  counts: () => [PERSONAL, 'saved', 'counts'] as const,
}
