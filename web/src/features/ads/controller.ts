import { onlineManager } from '@tanstack/react-query'
import type { Ad, AdSlot, Site } from '#/api/types'
import { thirdPartiesAllowed } from '#/features/consent/consent'
import { debug } from '#/lib/log'
import { whenNear } from '#/lib/near'
import { requestAds } from './request-ads'
import { Creative } from './Creative'
import { COLLAPSED, RESERVED, type Fills } from './fills'
import { networksOf, type Networks } from './networks'
import type { Bids } from './networks/slots'
import { refreshAfterBids } from './refresh'
import { currentScreen, watchScreen } from './screens'
import { elementId, sizesOn, type PageSubject, type Screen, type Size } from './slots'

interface Options {
  about: PageSubject
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
  // A prerendered page may never be seen.
  if (prerendering) {
    document.addEventListener('prerenderingchange', () => ads.start(), { once: true, signal })
  } else {
    ads.start()
  }
}

/**
 * The ads of one page. They are requested together when the first slot comes near the viewport, so a reader who
 * never scrolls there causes neither a request nor an unseen ad, and empty slots collapse before they are visible.
 * After a change of the screen, the newly shown slots are requested together.
 */
class PageAds {
  readonly #options: Options
  readonly #networks: Networks | undefined
  /** The request that each slot waits for or was filled by. */
  readonly #requests = new Map<string, symbol>()
  #screen = currentScreen()
  #hasStarted = false
  #stopWatching = (): void => {}

  constructor(options: Options) {
    this.#options = options
    this.#networks = networksOf(options.ads, thirdPartiesAllowed)
  }

  start(): void {
    const { slots, fills, signal } = this.#options
    this.#screen = currentScreen()
    watchScreen((screen) => this.#changeScreen(screen), signal)
    signal.addEventListener('abort', () => {
      this.#stopWatching()
      this.#requests.clear()
      this.#networks?.destroy(slots)
    })
    let isScheduled = false
    const stop = fills.subscribeToMounted(() => {
      if (isScheduled) return
      isScheduled = true
      // Slots that are mounted together are requested together.
      queueMicrotask(() => {
        isScheduled = false
        if (!signal.aborted) this.#requestOrWatch()
      })
    })
    signal.addEventListener('abort', stop)
    this.#requestOrWatch()
  }

  /** The mounted slots that this screen shows. */
  get #shown(): AdSlot[] {
    const { slots, fills } = this.#options
    const rooms = fills.mounted()
    return slots.filter(
      (slot) => rooms.has(slot.position) && sizesOn(slot, this.#screen).length > 0,
    )
  }

  /** Requests the shown slots that were not requested yet, or waits until one of them is near. */
  #requestOrWatch(): void {
    if (this.#hasStarted)
      this.#request(this.#shown.filter((slot) => !this.#requests.has(slot.position)))
    else this.#watch()
  }

  #watch(): void {
    this.#stopWatching()
    const elements = this.#shown.map((slot) => document.getElementById(elementId(slot)))
    const begin = (): void => {
      this.#hasStarted = true
      this.#request(this.#shown)
    }
    this.#stopWatching = whenNear(
      elements.filter((element) => element !== null),
      begin,
    )
  }

  #changeScreen(screen: Screen): void {
    this.#screen = screen
    const { slots, fills } = this.#options
    const requested = slots.filter(({ position }) => this.#requests.has(position))
    // An ad that is too wide for the screen is removed, like one whose slot the screen does not show.
    const gone = requested.filter((slot) => {
      const fill = fills.of(slot.position)
      const sizes = sizesOn(slot, screen)
      return fill.state === 'filled' ? !fits(fill.ad, sizes) : sizes.length === 0
    })
    for (const { position } of gone) {
      this.#requests.delete(position)
      fills.set(position, RESERVED)
    }
    this.#networks?.destroy(gone)
    this.#requestOrWatch()
  }

  #request(slots: readonly AdSlot[]): void {
    if (slots.length === 0) return
    const { signal } = this.#options
    const request = Symbol()
    for (const { position } of slots) this.#requests.set(position, request)
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
    const ads = await requestAds(about, screen, signal).catch((error: unknown) => {
      debug('The ads could not be requested', error)
      return []
    })
    const isWaiting = ({ position }: AdSlot): boolean => this.#requests.get(position) === request
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

/** Whether an ad fits one of these sizes; a native ad fits all of them. */
function fits({ width, height, creative }: Ad, sizes: readonly Size[]): boolean {
  if (creative?.kind === 'native') return sizes.length > 0
  return sizes.some((size) => size.width === width && size.height === height)
}
