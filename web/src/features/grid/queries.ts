import { addressOf, pagesOptions } from '#/lib/pages'
import { gridKeys } from './keys'

/** The pages of a sorted grid: whoever asks for the same shares them. */
export function gridPagesOptions<T>(
  path: string,
  query: Readonly<Record<string, string | undefined>>,
) {
  const first = addressOf(path, query)
  return pagesOptions<T>(gridKeys.pages(first), first)
}
