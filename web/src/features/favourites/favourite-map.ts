import { Emitter } from '#/lib/emitter'
import { debug } from '#/lib/log'
import { readJson, type KeyValue } from '#/lib/storage'
import { instant } from '#/lib/time'

const KEY = 'favourites:listingMap'
const MOST_STAMPS = 100
// A whole map of a reader who has never changed anything: fresh until the first change.
const BEFORE_ALL = '1970-01-01T00:00:00.000Z'

export interface FavouriteRecord {
  id: number
  listing_id: number
}

/** When a write was, and when the reader's favourites changed before that: null for never. */
export interface Stamp {
  server_time: string | null
  previous_update: string | null
}

export interface FavouritePorts {
  store: KeyValue
  create(listingId: number): Promise<{ id: number } & Stamp>
  /** Answers the deletion's stamp; a record that is gone already counts as deleted, without one. */
  remove(recordId: number): Promise<Stamp | null>
  /** `server_time` is null where there never was a change. */
  fetchIds(): Promise<{ results: FavouriteRecord[]; server_time: string | null }>
  onAdded(): void
  onRemoved(recordId: number): void
  /** The map was fetched anew: something else than this page may have changed it. */
  onRefetched(): void
  onFailed(error: unknown): void
}

interface Lane {
  target: boolean
  waiting: number
  tail: Promise<void>
}

/**
 * Which places the reader keeps: listing id → record id, as the server has confirmed it, with the
 * server's instant at which it was so. What the reader has clicked and the server has not yet
 * answered lies over it in lanes, one for each place, whose steps wait for each other.
 */
export class FavouriteMap {
  readonly version = new Emitter(0)
  readonly #ports: FavouritePorts
  #records = new Map<number, number>()
  #updated: string | null = null
  #fetchedAt = Number.NEGATIVE_INFINITY
  #latestSeen = Number.NEGATIVE_INFINITY
  #stamps = new Set<number>()
  #gone = new Set<number>()
  #lanes = new Map<number, Lane>()
  #epoch = 0
  #writes = 0
  #refetching: Promise<void> | undefined

  constructor(ports: FavouritePorts) {
    this.#ports = ports
  }

  isOn(listingId: number): boolean {
    return this.#lanes.get(listingId)?.target ?? this.#records.has(listingId)
  }

  /** True from the click that takes a place off until the server has answered. */
  isLeaving(listingId: number): boolean {
    return this.#lanes.get(listingId)?.target === false
  }

  isGone(recordId: number): boolean {
    return this.#gone.has(recordId)
  }

  /** Reads what the last visit left. */
  load(): void {
    const stored = readJson(this.#ports.store, KEY)
    const { updated, map } = parse(stored)
    this.#records = map
    this.#updated = updated
    this.#fetchedAt = updated === null ? Number.NEGATIVE_INFINITY : instant(updated)
    this.#changed()
  }

  /** Another tab of this browser has written the map. */
  reload(): void {
    if (this.#lanes.size > 0) return
    this.load()
    this.#ports.onRefetched()
  }

  toggle(listingId: number): void {
    this.#push(listingId, !this.isOn(listingId))
  }

  /** Takes off a record that a list shows, also when the map does not hold it. */
  takeOff(listingId: number, recordId: number): void {
    if (!this.#records.has(listingId)) this.#records.set(listingId, recordId)
    this.#push(listingId, false)
  }

  /** When every click so far has been answered. */
  async settled(): Promise<void> {
    while (this.#lanes.size > 0) {
      await Promise.all([...this.#lanes.values()].map((lane) => lane.tail))
    }
  }

  /** What the server says was the last change of the reader's favourites; null: never one. */
  async observe(lastChange: string | null | undefined): Promise<void> {
    const epoch = this.#epoch
    const at = instant(lastChange)
    await this.settled()
    if (epoch !== this.#epoch) return
    const news = at > this.#fetchedAt && at > this.#latestSeen && !this.#stamps.has(at)
    if (at > this.#latestSeen) this.#latestSeen = at
    const newer = at > instant(this.#updated)
    if (this.#updated === null || newer || (news && this.#hasOwnWrites())) await this.#refetch()
  }

  /** Another reader, or none: nothing of this one remains, also not in answers still to come. */
  clear(): void {
    this.#epoch += 1
    this.#records.clear()
    this.#updated = null
    this.#fetchedAt = Number.NEGATIVE_INFINITY
    this.#latestSeen = Number.NEGATIVE_INFINITY
    this.#stamps.clear()
    this.#gone.clear()
    this.#lanes.clear()
    this.#changed()
  }

  // An own write stamps the map, and another device's change of the same moment may be older than
  // that stamp: it is news all the same.
  #hasOwnWrites(): boolean {
    return this.#stamps.size > 0
  }

  #push(listingId: number, target: boolean): void {
    const epoch = this.#epoch
    const lane = this.#lanes.get(listingId) ?? { target, waiting: 0, tail: Promise.resolve() }
    lane.target = target
    lane.waiting += 1
    lane.tail = lane.tail.then(async () => {
      try {
        if (epoch === this.#epoch) await this.#apply(listingId, target, epoch)
      } catch (error) {
        // The state falls back to what the server last confirmed; the reader is told nothing.
        debug('A favourite was not saved', error)
        if (epoch === this.#epoch) this.#ports.onFailed(error)
      } finally {
        lane.waiting -= 1
        if (epoch === this.#epoch) {
          if (lane.waiting === 0) this.#lanes.delete(listingId)
          this.#changed()
        }
      }
    })
    this.#lanes.set(listingId, lane)
    this.#changed()
  }

  async #apply(listingId: number, target: boolean, epoch: number): Promise<void> {
    const recordId = this.#records.get(listingId)
    if (target && recordId === undefined) {
      const saved = await this.#ports.create(listingId)
      if (epoch !== this.#epoch) return
      this.#records.set(listingId, saved.id)
      this.#stamp(saved)
      this.#ports.onAdded()
    } else if (!target && recordId !== undefined) {
      const removed = await this.#ports.remove(recordId)
      if (epoch !== this.#epoch) return
      this.#records.delete(listingId)
      this.#gone.add(recordId)
      this.#stamp(removed)
      this.#ports.onRemoved(recordId)
    }
  }

  #stamp(stamp: Stamp | null): void {
    this.#writes += 1
    const at = instant(stamp?.server_time)
    if (stamp !== null && !Number.isNaN(at)) {
      const missed = this.#missed(stamp.previous_update)
      if (this.#stamps.size >= MOST_STAMPS) this.#stamps.clear()
      this.#stamps.add(at)
      // A map that was never fetched whole does not become fresh by one write, nor does one that
      // lacks another device's change.
      if (this.#updated !== null && !missed && at > instant(this.#updated)) {
        this.#updated = stamp.server_time
      }
      if (missed) void this.settled().then(() => this.#refetch())
    }
    this.#save()
  }

  /** Whether the change before our own was another's that this map does not hold. */
  #missed(previous: string | null): boolean {
    if (this.#updated === null || previous === null) return false
    const at = instant(previous)
    return at > instant(this.#updated) && !this.#stamps.has(at)
  }

  #refetch(): Promise<void> {
    this.#refetching ??= this.#fetchWhole().finally(() => {
      this.#refetching = undefined
    })
    return this.#refetching
  }

  async #fetchWhole(): Promise<void> {
    const epoch = this.#epoch
    for (;;) {
      const writes = this.#writes
      try {
        const answer = await this.#ports.fetchIds()
        if (epoch !== this.#epoch) return
        // A write that was confirmed meanwhile may be missing from this answer.
        if (writes !== this.#writes) continue
        this.#records = new Map(answer.results.map((row) => [row.listing_id, row.id]))
        this.#updated = answer.server_time ?? BEFORE_ALL
        this.#fetchedAt = instant(this.#updated)
      } catch (error) {
        if (epoch !== this.#epoch) return
        debug('The favourites could not be fetched', error)
        this.#records = new Map()
        this.#updated = null
      }
      this.#save()
      this.#changed()
      this.#ports.onRefetched()
      return
    }
  }

  #save(): void {
    const map = Object.fromEntries(this.#records)
    this.#ports.store.set(KEY, JSON.stringify({ updated: this.#updated, map }))
  }

  #changed(): void {
    this.version.set(this.version.get() + 1)
  }
}

function parse(stored: unknown): { updated: string | null; map: Map<number, number> } {
  const nothing = { updated: null, map: new Map<number, number>() }
  if (typeof stored !== 'object' || stored === null) return nothing
  const { updated, map } = stored as { updated?: unknown; map?: unknown }
  if (typeof map !== 'object' || map === null) return nothing
  if (typeof updated !== 'string' || Number.isNaN(instant(updated))) return nothing
  const entries = Object.entries(map)
    .map(([listing, record]) => [Number(listing), Number(record)] as const)
    .filter(([listing, record]) => Number.isInteger(listing) && Number.isInteger(record))
  return { updated, map: new Map(entries) }
}
