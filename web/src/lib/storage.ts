/**
 * Web storage that may be absent, full, forbidden or evicted at any moment.
 * Reading then finds nothing and writing does nothing; the site works without.
 */
export interface KeyValue {
  get(key: string): string | null
  set(key: string, value: string): void
  remove(key: string): void
}

function guarded(area: () => Storage): KeyValue {
  return {
    get(key) {
      try {
        return area().getItem(key)
      } catch {
        return null
      }
    },
    set(key, value) {
      try {
        area().setItem(key, value)
      } catch {
        // Full or forbidden: the value is fetched again next time.
      }
    },
    remove(key) {
      try {
        area().removeItem(key)
      } catch {
        // There is nothing to remove from a storage that cannot be reached.
      }
    },
  }
}

export const localStore = guarded(() => window.localStorage)
/** Lives as long as the tab. */
export const sessionStore = guarded(() => window.sessionStorage)

export function readJson(store: KeyValue, key: string): unknown {
  const text = store.get(key)
  if (text === null) return undefined
  try {
    return JSON.parse(text) as unknown
  } catch {
    return undefined
  }
}
