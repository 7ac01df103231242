import type { AdSlot, Site } from '#/api/types'
import { loadOnce } from '#/lib/load-once'
import { debug } from '#/lib/log'
import type { AdServer } from './networks/google'
import type { Bids, NetworkSlot } from './networks/slots'
import type { Auction } from './refresh'
import { networkElementId, sizesOn, type PageSubject, type Screen } from './slots'

/** The networks of a site. Their code is loaded only if the reader allows it. */
export interface Networks {
  /** Requests bids for slots; undefined without bidders or without the reader's permission. */
  auctionOf: (
    slots: readonly AdSlot[],
    screen: Screen,
  ) => (() => Promise<Auction<Bids>>) | undefined
  /** Fills slots; returns the filled positions. */
  fill: (
    slots: readonly AdSlot[],
    screen: Screen,
    about: PageSubject,
    bids: Bids | undefined,
    signal: AbortSignal,
  ) => Promise<ReadonlySet<string>>
  destroy: (slots: readonly AdSlot[]) => void
}

// Bids have so little time that a later page cannot wait for the import to resolve again.
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
        return auctionOf(prebid, toNetworkSlots(slots, screen))
      }
    },
    fill: async (slots, screen, about, bids, signal) => {
      if (!isAllowed()) return new Set()
      try {
        const { loadGoogle } = await import('./networks/google')
        server = await loadGoogle(google)
        if (signal.aborted) return new Set()
        return await server.fill(toNetworkSlots(slots, screen), about, bids)
      } catch (error) {
        debug('The network could not fill the ad slots', error)
        return new Set()
      }
    },
    destroy: (slots) => server?.destroy(slots.map(networkElementId)),
  }
}

function toNetworkSlots(slots: readonly AdSlot[], screen: Screen): NetworkSlot[] {
  return slots.map((slot) => ({
    position: slot.position,
    element: networkElementId(slot),
    sizes: sizesOn(slot, screen),
  }))
}
