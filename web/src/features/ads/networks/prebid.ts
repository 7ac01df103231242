import type { Site } from '#/api/types'
import type { Auction } from '../refresh'
import { loadScript } from './script'
import type { Bids, NetworkSlot } from './slots'

/** The part of Prebid.js that this module uses (https://docs.prebid.org/dev-docs/publisher-api-reference.html). */
interface Prebid {
  que: (() => void)[]
  requestBids?: (request: {
    adUnits: unknown[]
    timeout: number
    bidsBackHandler: () => void
  }) => void
  getAdserverTargetingForAdUnitCode?: (code: string) => Record<string, string>
}

type Settings = NonNullable<Site['ads']['prebid']>

/** Loads Prebid.js; returns a function that requests bids for slots from the site's bidders. */
export async function auctionOf(
  { script, bidders }: Settings,
  slots: readonly NetworkSlot[],
): Promise<Auction<Bids>> {
  await loadScript(script)
  const holder = window as { pbjs?: Prebid }
  const prebid = (holder.pbjs ??= { que: [] })
  const adUnits = slots.map(({ element, sizes }) => ({
    code: element,
    mediaTypes: { banner: { sizes: sizes.map(({ width, height }) => [width, height]) } },
    bids: bidders,
  }))
  return (timeout) =>
    new Promise((resolve) => {
      const bidsBackHandler = (): void => {
        const targeting = slots.map(({ element }) => {
          return [element, prebid.getAdserverTargetingForAdUnitCode?.(element) ?? {}] as const
        })
        resolve(new Map(targeting))
      }
      prebid.que.push(() => prebid.requestBids?.({ adUnits, timeout, bidsBackHandler }))
    })
}
