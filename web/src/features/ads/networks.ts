import type { AdSlot, Site } from '#/api/types'
import { loadOnce } from '#/lib/load-once'
import { debug } from '#/lib/log'
import type { AdServer } from './networks/google'
import type { Auction } from './refresh'
import { networkElementId, sizesOn, type PageOfAds, type Screen, type Size } from './slots'

/** A slot as networks know it. */
export interface NetworkSlot {
  position: string
  /** The element that the network fills. */
  element: string
  sizes: readonly Size[]
}

/** What bidders tell the ad server, by element. */
export type Bids = ReadonlyMap<string, Readonly<Record<string, string>>>

/** The networks that a site has turned on. Their code is loaded only while the reader allows it. */
export interface Networks {
  /** How to ask for bids for slots; undefined where nobody bids, or the reader does not allow it. */
  auctionOf: (
    slots: readonly AdSlot[],
    screen: Screen,
  ) => (() => Promise<Auction<Bids>>) | undefined
  /** Fills slots; returns the positions that it has filled. */
  fill: (
    slots: readonly AdSlot[],
    screen: Screen,
    about: PageOfAds,
    bids: Bids | undefined,
    signal: AbortSignal,
  ) => Promise<ReadonlySet<string>>
  destroy: (slots: readonly AdSlot[]) => void
}

// Bids count for so short a time that a later page cannot wait for the browser to import it again.
const loadPrebid = loadOnce(() => import('./networks/prebid'))

/** The site's networks; undefined if it has none. */
export function networksOf(
  { google, prebid }: Site['ads'],
  isAllowed: () => boolean,
): Networks | undefined {
  if (!google) return undefined
  let server: AdServer | undefined
  return {
    auctionOf: (slots, screen) => {
      if (!prebid || !isAllowed()) return undefined
      return async () => {
        const { auctionOf } = await loadPrebid()
        return auctionOf(prebid, known(slots, screen))
      }
    },
    fill: async (slots, screen, about, bids, signal) => {
      if (!isAllowed()) return new Set()
      try {
        const { loadGoogle } = await import('./networks/google')
        server = await loadGoogle(google)
        if (signal.aborted) return new Set()
        return await server.fill(known(slots, screen), about, bids)
      } catch (error) {
        debug('network', error)
        return new Set()
      }
    },
    destroy: (slots) => server?.destroy(slots.map(networkElementId)),
  }
}

function known(slots: readonly AdSlot[], screen: Screen): NetworkSlot[] {
  return slots.map((slot) => ({
    position: slot.position,
    element: networkElementId(slot),
    sizes: sizesOn(slot, screen),
  }))
}
