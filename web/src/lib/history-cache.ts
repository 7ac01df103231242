import type { InfiniteData, QueryClient, QueryKey } from '@tanstack/react-query'
import { PERSONAL } from './query-client'
import { readJson, type KeyValue } from './storage'

const ENTRIES = 'history:entries'
const OWNER = 'history:owner'
const LATEST = 'history:latest'
/** Maximum number of positions; the least recently left address is dropped first. */
const MAX_POSITIONS = 100
/** Maximum number of addresses with lists. */
const MAX_LISTS = 12
/** Maximum length of an address's lists in characters; longer ones are not stored. */
const MAX_LENGTH = 400_000

/** The reader's position on a page. */
export interface ReadingPosition {
  /** In px from the top. */
  scroll: number
  /** The focused element: its path from the page's content, and its text. */
  focus?: { path: number[]; text: string } | undefined
}

interface StoredList {
  key: QueryKey
  data: InfiniteData<unknown>
}

interface Entry extends ReadingPosition {
  lists: StoredList[]
}

/**
 * Each page's lists, as long as they were when the reader left it, and the reader's position. They are stored by
 * address for the lifetime of the tab, across full loads. Only Back and Forward use the lists.
 */
export class HistoryCache {
  readonly #store: KeyValue
  readonly #client: QueryClient
  #entries: Map<string, Entry>

  constructor(store: KeyValue, client: QueryClient) {
    this.#store = store
    this.#client = client
    this.#entries = parse(readJson(store, ENTRIES))
    const latest: unknown = readJson(store, LATEST)
    if (isEntry(latest)) {
      const [address, place] = latest
      this.#entries.set(address, { ...place, lists: this.#entries.get(address)?.lists ?? [] })
    }
  }

  /** Stores the position on the current page, without its lists. */
  notePosition(address: string, place: ReadingPosition): void {
    this.#store.set(LATEST, JSON.stringify([address, { ...place, lists: [] }]))
  }

  /** Calls back whenever a shown list has received a further page. */
  onGrowth(listener: () => void): void {
    const lengths = new WeakMap<object, number>()
    this.#client.getQueryCache().subscribe(({ type, query }) => {
      if (type !== 'updated' || !isList(query.state.data)) return
      const { length } = query.state.data.pages
      const hasGrown = length > (lengths.get(query) ?? 1)
      lengths.set(query, length)
      if (hasGrown && query.isActive()) listener()
    })
  }

  /** Call it while the page is still rendered. */
  save(address: string, place: ReadingPosition): void {
    const lists = this.#lists()
      .filter((query) => query.isActive())
      .map((query) => ({ key: query.queryKey, data: query.state.data as InfiniteData<unknown> }))
    const isLong = JSON.stringify(lists).length > MAX_LENGTH
    this.#entries.delete(address)
    this.#entries.set(address, { ...place, lists: isLong ? [] : lists })
    this.#store.remove(LATEST)
    for (const oldest of [...this.#entries.keys()].slice(0, -MAX_POSITIONS)) {
      this.#entries.delete(oldest)
    }
    for (const entry of [...this.#entries.values()].slice(0, -MAX_LISTS)) entry.lists = []
    this.#write()
  }

  /** Restores the lists before the page is rendered; returns the reader's position. */
  restore(address: string): ReadingPosition | undefined {
    const entry = this.#entries.get(address)
    for (const { key, data } of entry?.lists ?? []) {
      const now = this.#client.getQueryData<InfiniteData<unknown>>(key)
      if ((now?.pages.length ?? 0) < data.pages.length) this.#client.setQueryData(key, data)
    }
    return entry
  }

  /** The reader's position when they left the page. */
  positionOf(address: string): ReadingPosition | undefined {
    return this.#entries.get(address)
  }

  /** Shortens inactive lists to their first page, for a new visit. */
  shorten(): void {
    for (const query of this.#lists()) {
      const data = query.state.data as InfiniteData<unknown>
      if (query.isActive() || data.pages.length < 2) continue
      if (query.queryKey[0] === PERSONAL) {
        // After removals the second page begins elsewhere.
        this.#client.removeQueries({ queryKey: query.queryKey, exact: true })
      } else {
        const first = { pages: data.pages.slice(0, 1), pageParams: data.pageParams.slice(0, 1) }
        this.#client.setQueryData(query.queryKey, first, { updatedAt: query.state.dataUpdatedAt })
      }
    }
  }

  /** Drops the lists whose key begins with these parts, after their contents have changed. */
  dropLists(start: QueryKey): void {
    const isAffected = ({ key }: StoredList): boolean => start.every((part, at) => part === key[at])
    for (const entry of this.#entries.values()) {
      entry.lists = entry.lists.filter((list) => !isAffected(list))
    }
    this.#write()
  }

  /** Sets the owner; null for a guest. Drops the pages of another reader. */
  setOwner(reader: number | null): void {
    const owner = this.#store.get(OWNER)
    if (owner !== null && owner !== String(reader)) this.clear()
    if (reader === null) this.#store.remove(OWNER)
    else this.#store.set(OWNER, String(reader))
  }

  clear(): void {
    this.#entries.clear()
    this.#store.remove(ENTRIES)
    this.#store.remove(LATEST)
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
