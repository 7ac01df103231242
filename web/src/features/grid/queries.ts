import type { ListPath, PageItem } from '#/api/types'
import { addressOf, pagesOptions } from '#/lib/pages'
import { gridKeys } from './keys'

/** The pages of a sorted grid, shared by all that ask for the same. */
export function gridPagesOptions<P extends ListPath>(
  path: P,
  query: Readonly<Record<string, string | undefined>>,
) {
  const first = addressOf(path, query)
  return pagesOptions<PageItem<P>>(gridKeys.pages(first), first)
}
