import { savedMap } from '#/features/saved/saved'
import { SAVED_KINDS } from '#/features/saved/kinds'
import { holdPersonal } from '#/features/session/current'
import { Emitter } from '#/lib/emitter'

/** How long a reader is thanked before the rating is saved (spec, section 9). */
export const THANKS_MS = 1600

interface Confirmed {
  stars: number
  timer: ReturnType<typeof setTimeout>
}

/**
 * Ratings that the reader has confirmed, by place. Each waits while the reader is thanked, on whatever page
 * they are by then, and is saved afterwards.
 */
export class Thanks {
  readonly version = new Emitter(0)
  readonly #save: (listing: number, stars: number) => void
  readonly #confirmed = new Map<number, Confirmed>()

  constructor(save: (listing: number, stars: number) => void) {
    this.#save = save
  }

  /** The stars that the reader is thanked for; null if there is nothing to thank for. */
  stars(listing: number): number | null {
    return this.#confirmed.get(listing)?.stars ?? null
  }

  confirm(listing: number, stars: number): void {
    this.drop(listing)
    const timer = setTimeout(() => this.#end(listing, stars), THANKS_MS)
    this.#confirmed.set(listing, { stars, timer })
    this.#changed()
  }

  /** The reader has changed their mind. */
  drop(listing: number): void {
    clearTimeout(this.#confirmed.get(listing)?.timer)
    if (this.#confirmed.delete(listing)) this.#changed()
  }

  /** The page is left: no timer may ever run. */
  saveAll(): void {
    for (const [listing, { stars, timer }] of this.#confirmed) {
      clearTimeout(timer)
      this.#end(listing, stars)
    }
  }

  /** Forgets this reader. */
  clear(): void {
    for (const listing of [...this.#confirmed.keys()]) this.drop(listing)
  }

  // Saved first: the stars never show the old vote in between.
  #end(listing: number, stars: number): void {
    this.#save(listing, stars)
    this.#confirmed.delete(listing)
    this.#changed()
  }

  #changed(): void {
    this.version.set(this.version.get() + 1)
  }
}

export const thanks = new Thanks((listing, stars) => savedMap('rating').put(listing, stars))

holdPersonal({ storageKey: SAVED_KINDS.rating.storageKey, forget: () => thanks.clear() })

window.addEventListener('pagehide', () => thanks.saveAll())
// A phone may end a page in the background without another event.
document.addEventListener('visibilitychange', () => {
  if (document.visibilityState === 'hidden') thanks.saveAll()
})
