import { localStore, readJson } from '#/lib/storage'

const KEY = 'search:recent'
const MOST = 6

/** What was searched for on this device, the latest first. It stays here. */
export function recentSearches(): string[] {
  const stored = readJson(localStore, KEY)
  if (!Array.isArray(stored)) return []
  const texts = stored.filter((text): text is string => typeof text === 'string' && text !== '')
  return texts.slice(0, MOST)
}

export function rememberSearch(words: string): void {
  const others = recentSearches().filter((text) => text !== words)
  localStore.set(KEY, JSON.stringify([words, ...others].slice(0, MOST)))
}

export function forgetSearches(): void {
  localStore.remove(KEY)
}
