/** A page of a list in the API. `count` is -1 if the server does not know it. */
export interface Page<T> {
  results: T[]
  count: number
  next?: string | null
}

interface WithId {
  id: number
}

/** The items of all loaded pages, each once. */
export function itemsOf<T extends WithId>(pages: readonly Page<T>[]): T[] {
  const seen = new Set<number>()
  return pages
    .flatMap((page) => page.results)
    .filter((item) => {
      if (seen.has(item.id)) return false
      seen.add(item.id)
      return true
    })
}

function loaded<T>(pages: readonly Page<T>[]): number {
  return pages.reduce((sum, page) => sum + page.results.length, 0)
}

/** The next page's address, if `next` is set and the count is unknown or exceeds the loaded items. */
export function nextAddress<T>(pages: readonly Page<T>[]): string | undefined {
  const last = pages.at(-1)
  if (!last?.next) return undefined
  return last.count === -1 || last.count > loaded(pages) ? last.next : undefined
}

/**
 * Removes an item after the server has confirmed its deletion. The later items have moved up by
 * one, so the next page starts at the number of remaining items. The server's opaque cursor is
 * dropped, since it may point at the deleted row.
 */
export function withoutItem<P extends Page<WithId>>(pages: readonly P[], id: number): P[] {
  if (!pages.some((page) => page.results.some((item) => item.id === id))) return [...pages]
  const kept = pages.map((page) => ({
    ...page,
    results: page.results.filter((item) => item.id !== id),
    count: page.count === -1 ? -1 : Math.max(0, page.count - 1),
  }))
  const offset = loaded(kept)
  return kept.map((page, index) =>
    index === kept.length - 1 && page.next ? { ...page, next: atOffset(page.next, offset) } : page,
  )
}

function atOffset(next: string, offset: number): string {
  const url = new URL(next, window.location.origin)
  url.searchParams.set('offset', String(offset))
  url.searchParams.delete('after')
  return url.pathname + url.search
}
