import type { Site } from '#/api/types'
import { loadOnce } from '#/lib/load-once'
import type { PageSubject } from '../slots'
import { loadScript } from './script'
import type { Bids, NetworkSlot } from './slots'

interface Slot {
  addService(service: Service): Slot
  setTargeting(key: string, value: string | readonly string[]): Slot
  getSlotElementId(): string
}

interface Service {
  disableInitialLoad(): void
  setForceSafeFrame(isForced: boolean): void
  setSafeFrameConfig(config: { sandbox: boolean }): void
  refresh(slots: readonly Slot[]): void
  addEventListener(
    name: 'slotRenderEnded',
    ended: (event: { slot: Slot; isEmpty: boolean }) => void,
  ): void
}

/**
 * The part of Google Publisher Tag that this module uses (https://developers.google.com/publisher-tag/reference).
 */
interface Tag {
  cmd: (() => void)[]
  pubads?: () => Service
  defineSlot?: (unit: string, sizes: number[][], element: string) => Slot | null
  enableServices?: () => void
  display?: (element: string) => void
  destroySlots?: (slots: readonly Slot[]) => boolean
}

export interface AdServer {
  /** Requests the ads of slots together; returns the filled positions. */
  fill: (
    slots: readonly NetworkSlot[],
    about: PageSubject,
    bids: Bids | undefined,
  ) => Promise<ReadonlySet<string>>
  destroy: (elements: readonly string[]) => void
}

/** A slot without an answer after this time is empty, in milliseconds. */
const TIMEOUT = 5_000

type Settings = NonNullable<Site['ads']['google']>

/** Loads Google Publisher Tag. */
export const loadGoogle = loadOnce(async ({ script, network }: Settings): Promise<AdServer> => {
  await loadScript(script)
  const holder = window as { googletag?: Tag }
  const tag = (holder.googletag ??= { cmd: [] })
  const defined = new Map<string, Slot>()
  const waiting = new Map<string, (isEmpty: boolean) => void>()

  tag.cmd.push(() => {
    const ads = tag.pubads?.()
    if (!ads) return
    // This module decides which slots are requested, and when.
    ads.disableInitialLoad()
    // Creatives get their own origin, and cannot navigate the page.
    ads.setForceSafeFrame(true)
    ads.setSafeFrameConfig({ sandbox: true })
    ads.addEventListener('slotRenderEnded', ({ slot, isEmpty }) =>
      waiting.get(slot.getSlotElementId())?.(isEmpty),
    )
    tag.enableServices?.()
  })

  const define = ({ position, element, sizes }: NetworkSlot, about: PageSubject, bids?: Bids) => {
    const service = tag.pubads?.()
    const pairs = sizes.map(({ width, height }) => [width, height])
    const slot = tag.defineSlot?.(`${network}/${position}`, pairs, element)
    if (!slot || !service) return undefined
    const { page, section, tags } = about
    const targeting = { ...bids?.get(element), page, ...(section && { section }) }
    for (const [key, value] of Object.entries(targeting)) slot.setTargeting(key, value)
    if (tags?.length) slot.setTargeting('tags', tags)
    slot.addService(service)
    defined.set(element, slot)
    tag.display?.(element)
    return slot
  }

  return {
    fill: async (slots, about, bids) => {
      const ended = slots.map(async ({ position, element }) => {
        const isEmpty = await new Promise<boolean>((resolve) => {
          waiting.set(element, resolve)
          setTimeout(() => resolve(true), TIMEOUT)
        })
        return isEmpty ? [] : [position]
      })
      tag.cmd.push(() => {
        const requested = slots.map((slot) => define(slot, about, bids))
        const known = requested.filter((slot) => slot !== undefined)
        if (known.length > 0) tag.pubads?.().refresh(known)
      })
      return new Set((await Promise.all(ended)).flat())
    },
    destroy: (elements) => {
      const gone = elements.flatMap((element) => defined.get(element) ?? [])
      for (const element of elements) defined.delete(element)
      if (gone.length > 0) tag.cmd.push(() => void tag.destroySlots?.(gone))
    },
  }
})
