import type { AdSlot } from '#/api/types'

export type Screen = AdSlot['screens'][number]
export type Spot = AdSlot['at']

/** The description of a page in a request for ads. It contains nothing about the reader. */
export interface PageSubject {
  page: AdSlot['pages'][number]
  section?: string | undefined
  article?: number | undefined
  listingType?: string | undefined
  neighbourhood?: string | undefined
  tags?: readonly string[] | undefined
}

/** The width in CSS pixels of the narrowest screen of each kind (gateway/src/site/ads/slot.rs). */
const NARROWEST: Record<Screen, number> = { x_small: 320, small: 640, medium: 941, large: 1020 }

export interface Size {
  width: number
  height: number
}

/** The possible sizes of a slot's ads on a screen; empty if the screen does not show the slot. */
export function sizesOn({ screens, sizes }: AdSlot, screen: Screen): Size[] {
  if (!screens.includes(screen)) return []
  const all = sizes.map((size) => {
    const [width = 0, height = 0] = size.split('x').map(Number)
    return { width, height }
  })
  return all.filter(({ width }) => width <= NARROWEST[screen])
}

/** The height that is reserved on a screen; undefined if the screen does not show the slot. */
export function heightOn(slot: AdSlot, screen: Screen): number | undefined {
  const heights = sizesOn(slot, screen).map(({ height }) => height)
  return heights.length > 0 ? Math.max(...heights) : undefined
}

export function elementId({ position }: AdSlot): string {
  return `ad-${position}`
}

/** The id of the element that a network fills. */
export function networkElementId(slot: AdSlot): string {
  return `${elementId(slot)}-network`
}
