import { STORAGE_KEYS } from '#/features/saved/storage-keys'
import { putSaved } from '#/features/saved/use-saved'
import { registerPersonalData } from '#/features/session/current'
import { Emitter } from '#/lib/emitter'

/** How long the thanks are shown before the rating is saved, in milliseconds. */
export const THANKS_MS = 1600

interface Confirmed {
  stars: number
  timer: ReturnType<typeof setTimeout>
}

/**
 * The confirmed ratings, by place. Each is saved after its thanks have been shown, whatever page
 * the reader is on by then.
 */
export class Thanks {
  readonly version = new Emitter(0)
  readonly #save: (listing: number, stars: number) => void
  readonly #confirmed = new Map<number, Confirmed>()

  constructor(save: (listing: number, stars: number) => void) {
    this.#save = save
  }

  /** The stars of the shown thanks; null if there are none. */
  stars(listing: number): number | null {
    return this.#confirmed.get(listing)?.stars ?? null
  }

  confirm(listing: number, stars: number): void {
    this.drop(listing)
    const timer = setTimeout(() => this.#end(listing, stars), THANKS_MS)
    this.#confirmed.set(listing, { stars, timer })
    this.#changed()
  }

  /** Discards a rating: the reader has changed their mind. */
  drop(listing: number): void {
    clearTimeout(this.#confirmed.get(listing)?.timer)
    if (this.#confirmed.delete(listing)) this.#changed()
  }

  /** Call it when the reader leaves the page: timers may not run any more. */
  saveAll(): void {
    for (const [listing, { stars, timer }] of this.#confirmed) {
      clearTimeout(timer)
      this.#end(listing, stars)
    }
  }

  /** Discards the reader's ratings. */
  clear(): void {
    for (const listing of [...this.#confirmed.keys()]) this.drop(listing)
  }

  // Saved first, so that the old rating never shows in between.
  #end(listing: number, stars: number): void {
    this.#save(listing, stars)
    this.#confirmed.delete(listing)
    this.#changed()
  }

  #changed(): void {
    this.version.set(this.version.get() + 1)
  }
}

export const thanks = new Thanks((listing, stars) => putSaved('rating', listing, stars))

registerPersonalData({ storageKey: STORAGE_KEYS.rating, forget: () => thanks.clear() })

window.addEventListener('pagehide', () => thanks.saveAll())
// A phone may end a background page without another event.
document.addEventListener('visibilitychange', () => {
  if (document.visibilityState === 'hidden') thanks.saveAll()
})
