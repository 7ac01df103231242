import type { Size } from '../slots'

/** A slot in the form that networks use. */
export interface NetworkSlot {
  position: string
  /** The id of the element that the network fills. */
  element: string
  sizes: readonly Size[]
}

/** The bids that are passed to the ad server, by element. */
export type Bids = ReadonlyMap<string, Readonly<Record<string, string>>>
