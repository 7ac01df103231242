import { Emitter } from '#/lib/emitter'
import { ApiError } from '#/lib/http'
import { debug } from '#/lib/log'
import type { KeyValue } from '#/lib/storage'
import type { Clock } from '#/lib/time'

export const PROFILE_ID = 'profile:profileId'
export const LAST_ACTIVE = 'profile:lastActiveSessionMoment'
export const LAST_UPDATES = 'profile:lastUpdates'
/** What the dashboard showed at the last visits. */
export const DASHBOARD_VISIT = 'profile:dashboardVisit'
/** The day on which the reader closed the reminder of to-dos. */
export const REMINDER_CLOSED = 'profile:reminderClosed'

const PERSONAL_KEYS = [PROFILE_ID, LAST_ACTIVE, LAST_UPDATES, DASHBOARD_VISIT, REMINDER_CLOSED]
const VALID_FOR = 5 * 24 * 60 * 60 * 1000
const TOUCH_EVERY = 60 * 1000
const RETRY_AFTER = [400, 1200, 3000]

export type SessionState =
  { status: 'checking' } | { status: 'guest' } | { status: 'member'; id: number }

export interface SessionPorts {
  clock: Clock
  store: KeyValue
  /** The script-readable `signed_in` cookie: without it the status call is skipped. */
  hint: { present(): boolean; drop(): void }
  fetchStatus(): Promise<number | null>
  /** Further keys in the store that hold personal data. */
  personalKeys(): Iterable<string>
  /** Forgets personal data held in memory. */
  forget(): void
  /** Tells the other tabs that the reader has signed out. */
  announceEnd(): void
}

type Activity = 'valid' | 'absent' | 'invalid'

/**
 * The current reader. The local session is valid while the last activity is under five days old;
 * then the server is asked, and its answer decides.
 */
export class Session {
  readonly state = new Emitter<SessionState>({ status: 'checking' })
  readonly #ports: SessionPorts
  #touchedAt = Number.NEGATIVE_INFINITY
  #isHeld = false

  constructor(ports: SessionPorts) {
    this.#ports = ports
  }

  async start(): Promise<SessionState> {
    const { hint, store, clock } = this.#ports
    this.#isHeld = false
    if (!hint.present()) return this.#becomeGuest()
    const activity = this.#activity()
    if (activity === 'invalid') {
      // After five days the session is over here, even if the cookie is still there.
      hint.drop()
      return this.#becomeGuest()
    }
    // After a sign-in by redirect nothing is stored yet: store the arrival.
    if (activity === 'absent') store.set(LAST_ACTIVE, String(clock.now()))
    return this.#ask()
  }

  /** The state once it is known. */
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

  /** Records the reader's activity; ends a session that has been inactive for too long. */
  touch(): void {
    if (this.state.get().status !== 'member' || this.#isHeld) return
    if (this.#activity() === 'invalid' || !this.#ports.hint.present()) {
      this.end()
      return
    }
    const now = this.#ports.clock.now()
    if (now - this.#touchedAt < TOUCH_EVERY) return
    this.#touchedAt = now
    this.#ports.store.set(LAST_ACTIVE, String(now))
  }

  /** Asks the server again, after an answer that contradicts the local state. */
  async recheck(): Promise<void> {
    if (this.state.get().status === 'member' && !this.#isHeld) await this.#ask()
  }

  /** Whether the server has ended the session, and this page still shows the reader's data and input. */
  get isHeld(): boolean {
    return this.#isHeld
  }

  /**
   * Asks the server again like `recheck`, but a reader whose session has ended becomes a guest only with `release`:
   * until then the reader can log in again without losing any input. Returns whether the session has ended.
   */
  async hold(): Promise<boolean> {
    if (this.state.get().status === 'member' && !this.#isHeld) {
      const id = await this.#statusWithRetries().catch(() => undefined)
      this.#isHeld = id === null
      await this.recheck()
    }
    return this.#isHeld || this.state.get().status === 'guest'
  }

  /** Makes a guest of a reader who does not log in again. */
  async release(): Promise<void> {
    if (!this.#isHeld) return
    this.#isHeld = false
    await this.recheck()
  }

  /** Called before a sign-in loads its target page. */
  arrive(id: number): void {
    if (this.#ports.store.get(PROFILE_ID) !== String(id)) this.#clear()
    this.#ports.store.set(PROFILE_ID, String(id))
    this.#ports.store.set(LAST_ACTIVE, String(this.#ports.clock.now()))
  }

  /** Ends the session here and, by storage and channel, in every other tab. */
  end(): void {
    this.#ports.hint.drop()
    this.#becomeGuest()
    this.#ports.announceEnd()
  }

  /** Another tab has ended the session. */
  endedElsewhere(): void {
    if (this.state.get().status !== 'guest') this.#becomeGuest()
  }

  #activity(): Activity {
    const text = this.#ports.store.get(LAST_ACTIVE)
    if (text === null) return 'absent'
    const at = /^\d+$/.test(text) ? Number(text) : Number.NaN
    const age = this.#ports.clock.now() - at
    return age >= 0 && age < VALID_FOR ? 'valid' : 'invalid'
  }

  async #ask(): Promise<SessionState> {
    const { store, clock, hint } = this.#ports
    let id: number | null
    try {
      id = await this.#statusWithRetries()
    } catch (error) {
      debug('The status call failed', error)
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
