import { onlineManager } from '@tanstack/react-query'
import type { Ad, AdSlot, Site } from '#/api/types'
import { thirdPartiesAllowed } from '#/features/consent/consent'
import { debug } from '#/lib/log'
import { whenNear } from '#/lib/near'
import { askForAds } from './ask'
import { Creative } from './Creative'
import { COLLAPSED, RESERVED, type Fills } from './fills'
import { networksOf, type Bids, type Networks } from './networks'
import { refreshAfterBids } from './refresh'
import { currentScreen, watchScreen } from './screens'
import { elementId, sizesOn, type PageOfAds, type Screen, type Size } from './slots'

interface Options {
  about: PageOfAds
  /** The slots of the page. */
  slots: readonly AdSlot[]
  ads: Site['ads']
  fills: Fills
  /** Aborted when the reader leaves the page. */
  signal: AbortSignal
}

/** Shows a page's ads until the reader leaves it. */
export function showAds(options: Options): void {
  const ads = new PageAds(options)
  const { signal } = options
  const { prerendering } = document as { prerendering?: boolean }
  // A page that is made ready in the background may never be seen.
  if (prerendering) {
    document.addEventListener('prerenderingchange', () => ads.start(), { once: true, signal })
  } else {
    ads.start()
  }
}

/**
 * The ads of one page. They are asked for in one request when the first slot comes near the viewport: a reader
 * who never gets there costs neither a request nor an ad that nobody sees, and what stays empty is gone before it is
 * in sight. After a change of screens those slots are asked for, in one more request, that the screen before did not show.
 */
class PageAds {
  readonly #options: Options
  readonly #networks: Networks | undefined
  /** The request that a slot waits for or has been filled by. */
  readonly #asked = new Map<string, symbol>()
  #screen = currentScreen()
  #isBegun = false
  #stopWatching = (): void => {}

  constructor(options: Options) {
    this.#options = options
    this.#networks = networksOf(options.ads, thirdPartiesAllowed)
  }

  start(): void {
    const { slots, fills, signal } = this.#options
    this.#screen = currentScreen()
    watchScreen((screen) => this.#change(screen), signal)
    signal.addEventListener('abort', () => {
      this.#stopWatching()
      this.#asked.clear()
      this.#networks?.destroy(slots)
    })
    let isNoted = false
    const stop = fills.subscribeToRooms(() => {
      if (isNoted) return
      isNoted = true
      // Those that come together are asked for together.
      queueMicrotask(() => {
        isNoted = false
        if (!signal.aborted) this.#goOn()
      })
    })
    signal.addEventListener('abort', stop)
    this.#goOn()
  }

  /** The slots that the page has room for on this screen. */
  get #shown(): AdSlot[] {
    const { slots, fills } = this.#options
    const rooms = fills.rooms()
    return slots.filter(
      (slot) => rooms.has(slot.position) && sizesOn(slot, this.#screen).length > 0,
    )
  }

  /** Asks for what the page has room for and has not asked for, or waits until some of it is near. */
  #goOn(): void {
    if (this.#isBegun) this.#request(this.#shown.filter((slot) => !this.#asked.has(slot.position)))
    else this.#watch()
  }

  #watch(): void {
    this.#stopWatching()
    const elements = this.#shown.map((slot) => document.getElementById(elementId(slot)))
    const begin = (): void => {
      this.#isBegun = true
      this.#request(this.#shown)
    }
    this.#stopWatching = whenNear(
      elements.filter((element) => element !== null),
      begin,
    )
  }

  #change(screen: Screen): void {
    this.#screen = screen
    const { slots, fills } = this.#options
    const asked = slots.filter(({ position }) => this.#asked.has(position))
    // An ad that is too wide for the screen goes like one whose slot the screen does not show.
    const gone = asked.filter((slot) => {
      const fill = fills.of(slot.position)
      const sizes = sizesOn(slot, screen)
      return fill.state === 'filled' ? !fits(fill.ad, sizes) : sizes.length === 0
    })
    for (const { position } of gone) {
      this.#asked.delete(position)
      fills.set(position, RESERVED)
    }
    this.#networks?.destroy(gone)
    this.#goOn()
  }

  #request(slots: readonly AdSlot[]): void {
    if (slots.length === 0) return
    const { signal } = this.#options
    const request = Symbol()
    for (const { position } of slots) this.#asked.set(position, request)
    if (!onlineManager.isOnline()) {
      this.#collapse(slots)
      return
    }
    const { auctionOf } = this.#networks ?? {}
    refreshAfterBids<Bids>({
      auction: auctionOf?.(slots, this.#screen),
      refresh: (bids) => void this.#fill(slots, request, bids),
      signal,
    })
  }

  async #fill(slots: readonly AdSlot[], request: symbol, bids: Bids | undefined): Promise<void> {
    const { about, fills, signal } = this.#options
    const screen = this.#screen
    const ads = await askForAds(about, screen, signal).catch((error: unknown) => {
      debug('ads', error)
      return []
    })
    const isWaiting = ({ position }: AdSlot): boolean => this.#asked.get(position) === request
    const empty = slots.filter(isWaiting).filter((slot) => {
      const ad = ads.find(({ advert_position }) => advert_position === slot.position)
      if (!ad?.creative || !fits(ad, sizesOn(slot, this.#screen))) return true
      const shown = { ...ad, creative: ad.creative }
      fills.set(slot.position, { state: 'filled', ad: shown, Creative })
      return false
    })
    if (empty.length === 0) return
    const filled = (await this.#networks?.fill(empty, screen, about, bids, signal)) ?? new Set()
    this.#networks?.destroy(empty.filter((slot) => !isWaiting(slot)))
    for (const { position } of empty.filter(isWaiting)) {
      fills.set(position, filled.has(position) ? { state: 'network' } : COLLAPSED)
    }
  }

  #collapse(slots: readonly AdSlot[]): void {
    for (const { position } of slots) this.#options.fills.set(position, COLLAPSED)
  }
}

/** Whether an ad can be shown where these sizes are allowed; a native one takes the room that there is. */
function fits({ width, height, creative }: Ad, sizes: readonly Size[]): boolean {
  if (creative?.kind === 'native') return sizes.length > 0
  return sizes.some((size) => size.width === width && size.height === height)
}
