import type { AdSlot } from '#/api/types'
import { sizesOn, type Screen, type Size } from './slots'

/** The kinds of devices, and the screens of each. */
const DEVICES: readonly (readonly [string, readonly Screen[]])[] = [
  ['phones', ['x_small']],
  ['tablets', ['small']],
  ['computers', ['medium', 'large']],
]

interface OfferedSize extends Size {
  /** The names of the devices that show ads of this size. */
  on: string
}

/** The sizes of the site's slots, the widest first. Sizes of one pixel, which stand for text, are left out. */
export function offeredSizes(slots: readonly AdSlot[]): OfferedSize[] {
  const offered = new Map<string, Size & { devices: Set<string> }>()
  for (const [device, screens] of DEVICES) {
    for (const size of slots.flatMap((slot) =>
      screens.flatMap((screen) => sizesOn(slot, screen)),
    )) {
      if (size.width <= 1) continue
      const key = `${size.width}x${size.height}`
      const known = offered.get(key) ?? { ...size, devices: new Set() }
      known.devices.add(device)
      offered.set(key, known)
    }
  }
  return [...offered.values()]
    .sort((one, other) => other.width - one.width || other.height - one.height)
    .map(({ width, height, devices }) => ({ width, height, on: [...devices].join(', ') }))
}
