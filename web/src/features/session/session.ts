import { Emitter } from '#/lib/emitter'
import { ApiError } from '#/lib/http'
import { debug } from '#/lib/log'
import type { KeyValue } from '#/lib/storage'
import type { Clock } from '#/lib/time'

export const PROFILE_ID = 'profile:profileId'
export const LAST_ACTIVE = 'profile:lastActiveSessionMoment'
export const LAST_UPDATES = 'profile:lastUpdates'
/** The dashboard's state at the last visits. */
export const DASHBOARD_VISIT = 'profile:dashboardVisit'
/** The day on which the reader closed the to-do reminder. */
export const REMINDER_CLOSED = 'profile:reminderClosed'

const PERSONAL_KEYS = [PROFILE_ID, LAST_ACTIVE, LAST_UPDATES, DASHBOARD_VISIT, REMINDER_CLOSED]
const MAX_IDLE = 5 * 24 * 60 * 60 * 1000
const TOUCH_EVERY = 60 * 1000
const RETRY_AFTER = [400, 1200, 3000]

/** A session is `checking` only if the browser was signed in, so pages do not treat such a reader as a guest. */
export type SessionState =
  { status: 'checking' } | { status: 'guest' } | { status: 'member'; id: number }

export interface SessionPorts {
  clock: Clock
  store: KeyValue
  /** The script-readable `signed_in` cookie: without it there is no status request. */
  hint: { present(): boolean; drop(): void }
  fetchStatus(): Promise<number | null>
  /** Further keys in the store with personal data. */
  personalKeys(): Iterable<string>
  /** Clears personal data in memory. */
  forget(): void
  /** Notifies the other tabs of a log-out. */
  announceEnd(): void
}

type Activity = 'valid' | 'absent' | 'invalid'

/**
 * The current reader. The local session is valid for five days after the last activity; while it is
 * valid, the server decides who the reader is.
 */
export class Session {
  readonly state = new Emitter<SessionState>({ status: 'checking' })
  readonly #ports: SessionPorts
  #touchedAt = Number.NEGATIVE_INFINITY
  #awaitsRelogin = false

  constructor(ports: SessionPorts) {
    this.#ports = ports
  }

  async start(): Promise<SessionState> {
    const { hint, store, clock } = this.#ports
    this.#awaitsRelogin = false
    if (!hint.present()) return this.#becomeGuest()
    const activity = this.#activity()
    if (activity === 'invalid') {
      // The local session has expired, even if the cookie has not.
      hint.drop()
      return this.#becomeGuest()
    }
    // After a sign-in by redirect nothing is stored yet: store the arrival.
    if (activity === 'absent') store.set(LAST_ACTIVE, String(clock.now()))
    return this.#ask()
  }

  /** The state once the check has ended. */
  settled(): Promise<Exclude<SessionState, { status: 'checking' }>> {
    return new Promise((resolve) => {
      const known = (): boolean => {
        const state = this.state.get()
        if (state.status === 'checking') return false
        resolve(state)
        return true
      }
      if (known()) return
      const stop = this.state.subscribe(() => {
        if (known()) stop()
      })
    })
  }

  /** Records the reader's activity; ends an expired session. */
  touch(): void {
    if (this.state.get().status !== 'member' || this.#awaitsRelogin) return
    if (this.#activity() === 'invalid' || !this.#ports.hint.present()) {
      this.end()
      return
    }
    const now = this.#ports.clock.now()
    if (now - this.#touchedAt < TOUCH_EVERY) return
    this.#touchedAt = now
    this.#ports.store.set(LAST_ACTIVE, String(now))
  }

  /** Asks the server again after an answer that contradicts the local state. */
  async recheck(): Promise<void> {
    if (this.state.get().status === 'member' && !this.#awaitsRelogin) await this.#ask()
  }

  /** Whether the server has ended the session, but this page still shows the reader's data and input. */
  get awaitsRelogin(): boolean {
    return this.#awaitsRelogin
  }

  /**
   * Asks the server again. Unlike after `recheck`, a reader whose session has ended stays a member until `release`,
   * so that they can log in again without losing input. Returns whether the session has ended.
   */
  async holdForRelogin(): Promise<boolean> {
    if (this.state.get().status === 'member' && !this.#awaitsRelogin) {
      const id = await this.#statusWithRetries().catch(() => undefined)
      this.#awaitsRelogin = id === null
      await this.recheck()
    }
    return this.#awaitsRelogin || this.state.get().status === 'guest'
  }

  /** Signs out a reader who does not log in again. */
  async release(): Promise<void> {
    if (!this.#awaitsRelogin) return
    this.#awaitsRelogin = false
    await this.recheck()
  }

  /** Clears the stored data of another reader, after a sign-in and before its target page is loaded. */
  recordArrival(id: number): void {
    if (this.#ports.store.get(PROFILE_ID) !== String(id)) this.#clear()
    this.#ports.store.set(PROFILE_ID, String(id))
    this.#ports.store.set(LAST_ACTIVE, String(this.#ports.clock.now()))
  }

  /** Ends the session in every tab. */
  end(): void {
    this.#ports.hint.drop()
    this.#becomeGuest()
    this.#ports.announceEnd()
  }

  /** Call it after another tab has ended the session. */
  endHere(): void {
    if (this.state.get().status !== 'guest') this.#becomeGuest()
  }

  #activity(): Activity {
    const text = this.#ports.store.get(LAST_ACTIVE)
    if (text === null) return 'absent'
    const at = /^\d+$/.test(text) ? Number(text) : Number.NaN
    const age = this.#ports.clock.now() - at
    return age >= 0 && age < MAX_IDLE ? 'valid' : 'invalid'
  }

  async #ask(): Promise<SessionState> {
    const { store, clock, hint } = this.#ports
    let id: number | null
    try {
      id = await this.#statusWithRetries()
    } catch (error) {
      debug('The session status could not be fetched', error)
      return this.#becomeGuest()
    }
    if (id === null) {
      hint.drop()
      return this.#becomeGuest()
    }
    if (store.get(PROFILE_ID) !== String(id)) {
      this.#clear()
      store.set(PROFILE_ID, String(id))
    }
    this.#touchedAt = clock.now()
    store.set(LAST_ACTIVE, String(this.#touchedAt))
    const before = this.state.get()
    if (before.status !== 'member' || before.id !== id) this.state.set({ status: 'member', id })
    return this.state.get()
  }

  async #statusWithRetries(): Promise<number | null> {
    for (let attempt = 0; ; attempt += 1) {
      try {
        return await this.#ports.fetchStatus()
      } catch (error) {
        const pause = RETRY_AFTER[attempt]
        const passing = error instanceof ApiError && [0, 502, 503].includes(error.status)
        if (pause === undefined || !passing) throw error
        await this.#ports.clock.sleep(pause)
      }
    }
  }

  #becomeGuest(): SessionState {
    this.#clear()
    this.state.set({ status: 'guest' })
    return this.state.get()
  }

  #clear(): void {
    for (const key of [...PERSONAL_KEYS, ...this.#ports.personalKeys()]) {
      this.#ports.store.remove(key)
    }
    this.#ports.forget()
  }
}
