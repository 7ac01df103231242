import { Emitter } from '#/lib/emitter'
import { debug } from '#/lib/log'
import { readJson, type KeyValue } from '#/lib/storage'
import { parseInstant } from '#/lib/time'

const MAX_STAMPS = 100
// The stamp of a reader who has never changed anything: fresh until the first change.
const NEVER_CHANGED = '1970-01-01T00:00:00.000Z'

/** The value of a record: whether a to-do is done, or the stars of a rating. */
export type SavedValue = boolean | number

/** The ids of an object and its record, and the value unless it is the initial one. */
export type MapRow<V extends SavedValue> = readonly [objectId: number, recordId: number, value?: V]

/** The instants of a write and of the previous change of this kind; null if there was none. */
export interface Stamp {
  server_time: string | null
  previous_update: string | null
}

export type SaveResult = { id: number } & Stamp

export interface SavedPorts<V extends SavedValue> {
  store: KeyValue
  storageKey: string
  /** The default value of a row. */
  initial: V
  /** Creates a record, or changes the value of the given one. */
  save(objectId: number, value: V, recordId: number | undefined): Promise<SaveResult>
  /** Returns the deletion's stamp; null if the record was already deleted. */
  remove(recordId: number): Promise<Stamp | null>
  /** `server_time` is null if there was never a change. */
  fetchMap(): Promise<{ results: readonly MapRow<V>[]; server_time: string | null }>
  onSaved(objectId: number): void
  onRemoved(recordId: number, objectId: number): void
  /** Called after the map was fetched, with the objects that differ from the previous map, if there was one. */
  onFetched(objectIds: readonly number[], hadMap: boolean): void
  onFailed(error: unknown, failed: FailedChange<V>): void
}

/** A change that failed. */
export interface FailedChange<V> {
  objectId: number
  /** Null for a removal. */
  target: V | null
  /** Whether the object was not saved before. */
  isNew: boolean
}

interface SavedRecord<V> {
  id: number
  value: V
}

interface Lane<V> {
  /** The value of the last click; null to remove the object. */
  target: V | null
  waiting: number
  tail: Promise<void>
}

/**
 * The reader's saved things of one kind: object id → record id and value, as confirmed by the server, with the
 * server's instant of that state. Unconfirmed clicks wait in lanes, one per object, whose steps run in order.
 */
export class SavedMap<V extends SavedValue> {
  readonly version = new Emitter(0)
  readonly #ports: SavedPorts<V>
  #records = new Map<number, SavedRecord<V>>()
  #updated: string | null = null
  #fetchedAt = Number.NEGATIVE_INFINITY
  #latestSeen = Number.NEGATIVE_INFINITY
  #stamps = new Set<number>()
  #deleted = new Set<number>()
  #lanes = new Map<number, Lane<V>>()
  #epoch = 0
  #writes = 0
  #refetching: Promise<void> | undefined
  #hasFailed = false

  constructor(ports: SavedPorts<V>) {
    this.#ports = ports
  }

  isOn(objectId: number): boolean {
    return this.value(objectId) !== null
  }

  /** The displayed value; null for an object that is not saved. */
  value(objectId: number): V | null {
    const lane = this.#lanes.get(objectId)
    return lane ? lane.target : (this.#records.get(objectId)?.value ?? null)
  }

  /** The ids of all saved objects without those being removed, the last saved first. */
  objectIds(): number[] {
    return [...this.#records]
      .filter(([objectId]) => !this.isBeingRemoved(objectId))
      .sort(([, one], [, other]) => other.id - one.id)
      .map(([objectId]) => objectId)
  }

  /** Whether the whole map is loaded. */
  get status(): 'coming' | 'known' | 'failed' {
    if (this.#updated !== null) return 'known'
    return this.#hasFailed ? 'failed' : 'coming'
  }

  /** Whether the object is being removed: from the click until the server's answer. */
  isBeingRemoved(objectId: number): boolean {
    return this.#lanes.get(objectId)?.target === null
  }

  isDeleted(recordId: number): boolean {
    return this.#deleted.has(recordId)
  }

  /** Reads the map of the last visit from storage. */
  load(): void {
    const { store, storageKey, initial } = this.#ports
    const { updated, map } = parse(readJson(store, storageKey), initial)
    this.#records = map
    this.#updated = updated
    this.#fetchedAt = updated === null ? Number.NEGATIVE_INFINITY : parseInstant(updated)
    this.#changed()
  }

  /** Call it after another tab of this browser has stored the map. */
  reload(): void {
    if (this.#lanes.size > 0) return
    const before = this.#records
    this.load()
    this.#ports.onFetched(changedObjects(before, this.#records), true)
  }

  /** Saves an object with a value; null removes it. */
  put(objectId: number, target: V | null): void {
    const epoch = this.#epoch
    const lane = this.#lanes.get(objectId) ?? { target, waiting: 0, tail: Promise.resolve() }
    lane.target = target
    lane.waiting += 1
    lane.tail = lane.tail.then(async () => {
      try {
        if (epoch === this.#epoch) await this.#apply(objectId, target, epoch)
      } catch (error) {
        // The control reverts to the confirmed state, without a message.
        debug('A change of a saved thing failed', error)
        const isNew = !this.#records.has(objectId)
        if (epoch === this.#epoch) this.#ports.onFailed(error, { objectId, target, isNew })
      } finally {
        lane.waiting -= 1
        if (epoch === this.#epoch) {
          if (lane.waiting === 0) this.#lanes.delete(objectId)
          this.#changed()
        }
      }
    })
    this.#lanes.set(objectId, lane)
    this.#changed()
  }

  /** Removes a record of a list, even if the map lacks it. */
  removeListed(objectId: number, recordId: number): void {
    if (!this.#records.has(objectId)) {
      this.#records.set(objectId, { id: recordId, value: this.#ports.initial })
    }
    this.put(objectId, null)
  }

  /** Resolves once all pending clicks are confirmed or refused. */
  async settled(): Promise<void> {
    while (this.#lanes.size > 0) {
      await Promise.all([...this.#lanes.values()].map((lane) => lane.tail))
    }
  }

  /** Resolves once no request for the whole map is under way. */
  async fetched(): Promise<void> {
    await this.#refetching
  }

  /**
   * Compares the map with the server's instant of the last change of this kind, null for none;
   * refetches a stale map.
   */
  async observe(lastChange: string | null | undefined): Promise<void> {
    const epoch = this.#epoch
    const at = parseInstant(lastChange)
    await this.settled()
    if (epoch !== this.#epoch) return
    const news = at > this.#fetchedAt && at > this.#latestSeen && !this.#stamps.has(at)
    if (at > this.#latestSeen) this.#latestSeen = at
    const newer = at > parseInstant(this.#updated)
    if (this.#updated === null || newer || (news && this.#hasOwnWrites())) await this.#refetch()
  }

  /** Clears the reader's data and ignores pending answers. */
  clear(): void {
    this.#epoch += 1
    this.#records.clear()
    this.#updated = null
    this.#hasFailed = false
    this.#fetchedAt = Number.NEGATIVE_INFINITY
    this.#latestSeen = Number.NEGATIVE_INFINITY
    this.#stamps.clear()
    this.#deleted.clear()
    this.#lanes.clear()
    this.#changed()
  }

  // After a write of its own, the map's stamp may be later than a change by another device that the
  // map lacks. The stamp alone does not show whether the map is fresh.
  #hasOwnWrites(): boolean {
    return this.#stamps.size > 0
  }

  async #apply(objectId: number, target: V | null, epoch: number): Promise<void> {
    const record = this.#records.get(objectId)
    if (target !== null && target !== record?.value) {
      const saved = await this.#ports.save(objectId, target, record?.id)
      if (epoch !== this.#epoch) return
      this.#records.set(objectId, { id: saved.id, value: target })
      this.#stamp(saved)
      this.#ports.onSaved(objectId)
    } else if (target === null && record !== undefined) {
      const removed = await this.#ports.remove(record.id)
      if (epoch !== this.#epoch) return
      this.#records.delete(objectId)
      this.#deleted.add(record.id)
      this.#stamp(removed)
      this.#ports.onRemoved(record.id, objectId)
    }
  }

  #stamp(stamp: Stamp | null): void {
    this.#writes += 1
    const at = parseInstant(stamp?.server_time)
    if (stamp !== null && !Number.isNaN(at)) {
      const missed = this.#missed(stamp.previous_update)
      if (this.#stamps.size >= MAX_STAMPS) this.#stamps.clear()
      this.#stamps.add(at)
      // A single write does not make a map fresh that was never fetched, or that lacks another device's change.
      if (this.#updated !== null && !missed && at > parseInstant(this.#updated)) {
        this.#updated = stamp.server_time
      }
      if (missed) void this.settled().then(() => this.#refetch())
    }
    this.#save()
  }

  /** Whether another device has made a change before our own that this map lacks. */
  #missed(previous: string | null): boolean {
    if (this.#updated === null || previous === null) return false
    const at = parseInstant(previous)
    return at > parseInstant(this.#updated) && !this.#stamps.has(at)
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
      const before = this.#records
      const hadMap = this.status !== 'coming'
      try {
        const answer = await this.#ports.fetchMap()
        if (epoch !== this.#epoch) return
        // The answer may lack a write that was confirmed in the meantime.
        if (writes !== this.#writes) continue
        this.#records = new Map(
          answer.results.map(([object, id, value = this.#ports.initial]) => [
            object,
            { id, value },
          ]),
        )
        this.#updated = answer.server_time ?? NEVER_CHANGED
        this.#fetchedAt = parseInstant(this.#updated)
        this.#hasFailed = false
      } catch (error) {
        if (epoch !== this.#epoch) return
        debug('A map of saved things could not be fetched', error)
        this.#records = new Map()
        this.#updated = null
        this.#hasFailed = true
      }
      this.#save()
      this.#changed()
      this.#ports.onFetched(changedObjects(before, this.#records), hadMap)
      return
    }
  }

  #save(): void {
    const { store, storageKey, initial } = this.#ports
    const map = Object.fromEntries(
      [...this.#records].map(([object, { id, value }]) => [
        object,
        value === initial ? id : [id, value],
      ]),
    )
    store.set(storageKey, JSON.stringify({ updated: this.#updated, map }))
  }

  #changed(): void {
    this.version.set(this.version.get() + 1)
  }
}

type Records<V> = ReadonlyMap<number, SavedRecord<V>>

/** The objects whose records or values differ between two maps. */
function changedObjects<V>(before: Records<V>, after: Records<V>): number[] {
  const objects = new Set([...before.keys(), ...after.keys()])
  return [...objects].filter((object) => before.get(object)?.value !== after.get(object)?.value)
}

interface Stored<V> {
  updated: string | null
  map: Map<number, SavedRecord<V>>
}

function parse<V extends SavedValue>(stored: unknown, initial: V): Stored<V> {
  const nothing: Stored<V> = { updated: null, map: new Map() }
  if (typeof stored !== 'object' || stored === null) return nothing
  const { updated, map } = stored as { updated?: unknown; map?: unknown }
  if (typeof map !== 'object' || map === null) return nothing
  if (typeof updated !== 'string' || Number.isNaN(parseInstant(updated))) return nothing
  const records = new Map<number, SavedRecord<V>>()
  for (const [key, entry] of Object.entries(map)) {
    const [id, value = initial] = (Array.isArray(entry) ? entry : [entry]) as [unknown, V?]
    const object = Number(key)
    if (!Number.isInteger(object) || !Number.isInteger(id)) continue
    if (typeof value === typeof initial) records.set(object, { id: id as number, value })
  }
  return { updated, map: records }
}
