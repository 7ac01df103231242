import { PERSONAL } from '#/lib/query-client'
import type { SavedName } from './kinds'

export interface SavedFilters {
  ordering: string
  keywords: string
  /** To-dos only: those that are done, or those that are not; empty: all. */
  completed: '' | '0' | '1'
}

export const savedKeys = {
  lists: (kind: SavedName) => [PERSONAL, 'saved', kind, 'list'] as const,
  list: (kind: SavedName, filters: SavedFilters) => [...savedKeys.lists(kind), filters] as const,
  counts: () => [PERSONAL, 'saved', 'counts'] as const,
}
