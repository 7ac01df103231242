import type { InfiniteData, QueryClient, QueryKey } from '@tanstack/react-query'
import { PERSONAL } from './query-client'
import { readJson, type KeyValue } from './storage'

const ENTRIES = 'history:entries'
const OWNER = 'history:owner'
/** Maximum number of positions; that of the least recently left address is dropped first. */
const MOST_PLACES = 100
/** Maximum number of addresses with lists. */
const MOST_LISTS = 12
/** Maximum length of an address's lists in characters; longer ones are not stored. */
const LONGEST = 400_000

/** The reader's position on a page. */
export interface Place {
  /** In px from the top. */
  scroll: number
  /** The focused element: its path from the page's content, and its text. */
  focus?: { path: number[]; text: string } | undefined
}

interface KeptList {
  key: QueryKey
  data: InfiniteData<unknown>
}

interface Entry extends Place {
  lists: KeptList[]
}

/**
 * The lists of each page as long as they were when the reader left it, and the reader's position.
 * Kept by address for the lifetime of the tab, across full loads. Lists are used by Back and Forward only.
 */
export class HistoryCache {
  readonly #store: KeyValue
  readonly #client: QueryClient
  #entries: Map<string, Entry>

  constructor(store: KeyValue, client: QueryClient) {
    this.#store = store
    this.#client = client
    this.#entries = parse(readJson(store, ENTRIES))
  }

  /** Call it while the page is still rendered. */
  keep(address: string, place: Place): void {
    const lists = this.#lists()
      .filter((query) => query.isActive())
      .map((query) => ({ key: query.queryKey, data: query.state.data as InfiniteData<unknown> }))
    const isLong = JSON.stringify(lists).length > LONGEST
    this.#entries.delete(address)
    this.#entries.set(address, { ...place, lists: isLong ? [] : lists })
    for (const oldest of [...this.#entries.keys()].slice(0, -MOST_PLACES)) {
      this.#entries.delete(oldest)
    }
    for (const entry of [...this.#entries.values()].slice(0, -MOST_LISTS)) entry.lists = []
    this.#write()
  }

  /** Restores the lists before the page is rendered, and answers the reader's position. */
  recall(address: string): Place | undefined {
    const entry = this.#entries.get(address)
    for (const { key, data } of entry?.lists ?? []) {
      const now = this.#client.getQueryData<InfiniteData<unknown>>(key)
      if ((now?.pages.length ?? 0) < data.pages.length) this.#client.setQueryData(key, data)
    }
    return entry
  }

  /** The reader's position when the page was left. */
  placeOf(address: string): Place | undefined {
    return this.#entries.get(address)
  }

  /** Cuts inactive lists to their first page, for a new visit. */
  shorten(): void {
    for (const query of this.#lists()) {
      const data = query.state.data as InfiniteData<unknown>
      if (query.isActive() || data.pages.length < 2) continue
      if (query.queryKey[0] === PERSONAL) {
        // Removals have changed where the second page begins.
        this.#client.removeQueries({ queryKey: query.queryKey, exact: true })
      } else {
        const first = { pages: data.pages.slice(0, 1), pageParams: data.pageParams.slice(0, 1) }
        this.#client.setQueryData(query.queryKey, first, { updatedAt: query.state.dataUpdatedAt })
      }
    }
  }

  /** Drops the lists whose key begins with these parts, after their contents have changed. */
  dropLists(start: QueryKey): void {
    const isMeant = ({ key }: KeptList): boolean => start.every((part, at) => part === key[at])
    for (const entry of this.#entries.values()) {
      entry.lists = entry.lists.filter((list) => !isMeant(list))
    }
    this.#write()
  }

  /** Sets the owner, null for a guest; pages of another reader are forgotten. */
  belongTo(reader: number | null): void {
    const owner = this.#store.get(OWNER)
    if (owner !== null && owner !== String(reader)) this.clear()
    if (reader === null) this.#store.remove(OWNER)
    else this.#store.set(OWNER, String(reader))
  }

  clear(): void {
    this.#entries.clear()
    this.#store.remove(ENTRIES)
  }

  #lists() {
    return this.#client
      .getQueryCache()
      .findAll()
      .filter((query) => isList(query.state.data))
  }

  #write(): void {
    this.#store.set(ENTRIES, JSON.stringify([...this.#entries]))
  }
}

function isList(data: unknown): data is InfiniteData<unknown> {
  return typeof data === 'object' && data !== null && 'pages' in data && Array.isArray(data.pages)
}

function isEntry(value: unknown): value is [string, Entry] {
  if (!Array.isArray(value)) return false
  const [address, entry] = value as [unknown, Partial<Entry> | null]
  return (
    typeof address === 'string' &&
    typeof entry?.scroll === 'number' &&
    Array.isArray(entry.lists) &&
    entry.lists.every((list) => Array.isArray(list.key) && isList(list.data))
  )
}

/** Another version of the site may have stored something else. */
function parse(value: unknown): Map<string, Entry> {
  return new Map(Array.isArray(value) ? value.filter(isEntry) : [])
}
