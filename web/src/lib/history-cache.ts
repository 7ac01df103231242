import type { InfiniteData, QueryClient, QueryKey } from '@tanstack/react-query'
import { PERSONAL } from './query-client'
import { readJson, type KeyValue } from './storage'

const ENTRIES = 'history:entries'
const OWNER = 'history:owner'
/** Addresses that are remembered; the one that was left longest ago is forgotten first. */
const MOST = 12
/** Characters of the lists of one address; of longer ones the place alone is kept. */
const LONGEST = 400_000

/** Where on a page its reader was. */
export interface Place {
  /** In px from above. */
  scroll: number
  /** What had the focus: the way to it from the page's content, and what it said. */
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
 * What a page showed when its reader left it: its lists as long as they had become, and where in
 * them the reader was. Kept by path and query for as long as the tab lives, full loads in between
 * included, and used by Back and Forward alone.
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

  /** Called while the page is still shown. */
  keep(address: string, place: Place): void {
    const lists = this.#lists()
      .filter((query) => query.isActive())
      .map((query) => ({ key: query.queryKey, data: query.state.data as InfiniteData<unknown> }))
    const isLong = JSON.stringify(lists).length > LONGEST
    this.#entries.delete(address)
    this.#entries.set(address, { ...place, lists: isLong ? [] : lists })
    for (const oldest of this.#entries.keys()) {
      if (this.#entries.size <= MOST) break
      this.#entries.delete(oldest)
    }
    this.#write()
  }

  /** Gives the lists back before the page is shown, and says where its reader was. */
  recall(address: string): Place | undefined {
    const entry = this.#entries.get(address)
    for (const { key, data } of entry?.lists ?? []) {
      const now = this.#client.getQueryData<InfiniteData<unknown>>(key)
      if ((now?.pages.length ?? 0) < data.pages.length) this.#client.setQueryData(key, data)
    }
    return entry
  }

  /** A page that is gone to anew begins with the first page of its list. */
  shorten(): void {
    for (const query of this.#lists()) {
      const data = query.state.data as InfiniteData<unknown>
      if (query.isActive() || data.pages.length < 2) continue
      if (query.queryKey[0] === PERSONAL) {
        // What its reader has taken off it has moved where its second page begins.
        this.#client.removeQueries({ queryKey: query.queryKey, exact: true })
      } else {
        const first = { pages: data.pages.slice(0, 1), pageParams: data.pageParams.slice(0, 1) }
        this.#client.setQueryData(query.queryKey, first, { updatedAt: query.state.dataUpdatedAt })
      }
    }
  }

  /** Forgets the lists whose key begins so: what they hold has changed. */
  dropLists(start: QueryKey): void {
    const isMeant = ({ key }: KeptList): boolean => start.every((part, at) => part === key[at])
    for (const entry of this.#entries.values()) {
      entry.lists = entry.lists.filter((list) => !isMeant(list))
    }
    this.#write()
  }

  /** Whose pages these are from now on; null for a guest. What was somebody else's is forgotten. */
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

/** Other versions of the site may have left something else. */
function parse(value: unknown): Map<string, Entry> {
  return new Map(Array.isArray(value) ? value.filter(isEntry) : [])
}
