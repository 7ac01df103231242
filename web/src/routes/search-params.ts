/** Where log-in and log-out go on: a path of this site, which `sitePath` checks when it is used. */
export function nextAddress(search: Record<string, unknown>): { next?: string } {
  return typeof search.next === 'string' ? { next: search.next } : {}
}

/** The words that everything is searched for. */
export function searchWords(search: Record<string, unknown>): { q?: string } {
  const words = typeof search.q === 'string' ? search.q.trim() : ''
  return words ? { q: words } : {}
}
