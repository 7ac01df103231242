import { PERSONAL } from '#/lib/query-client'
import type { SavedName } from './kinds'

export interface SavedFilters {
  ordering: string
  keywords: string
  /** To-dos only: done, not done, or all. */
  completed: '' | '0' | '1'
}

export const savedKeys = {
  /** All queries about the reader's things of a kind. */
  kind: (kind: SavedName) => [PERSONAL, 'saved', kind] as const,
  lists: (kind: SavedName) => [...savedKeys.kind(kind), 'list'] as const,
  list: (kind: SavedName, filters: SavedFilters) => [...savedKeys.lists(kind), filters] as const,
  all: (kind: SavedName, filters: SavedFilters) =>
    [...savedKeys.kind(kind), 'all', filters] as const,
  newest: (kind: SavedName, limit: number) => [...savedKeys.kind(kind), 'newest', limit] as const,
}
