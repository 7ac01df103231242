/**
 * Web storage that may be missing, full, forbidden or evicted at any time. Then reading returns
 * null and writing does nothing; the site works without it.
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
        // An unreachable storage contains nothing to remove.
      }
    },
  }
}

export const localStore = guarded(() => window.localStorage)
/** Storage that lasts as long as the tab. */
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
