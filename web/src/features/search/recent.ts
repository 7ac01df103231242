import { localStore, readJson } from '#/lib/storage'

const KEY = 'search:recent'
const MAX_SEARCHES = 6

/** The recent searches on this device, the latest first. They never leave it. */
export function recentSearches(): string[] {
  const stored = readJson(localStore, KEY)
  if (!Array.isArray(stored)) return []
  const texts = stored.filter((text): text is string => typeof text === 'string' && text !== '')
  return texts.slice(0, MAX_SEARCHES)
}

export function rememberSearch(words: string): void {
  const others = recentSearches().filter((text) => text !== words)
  localStore.set(KEY, JSON.stringify([words, ...others].slice(0, MAX_SEARCHES)))
}

export function forgetSearches(): void {
  localStore.remove(KEY)
}
