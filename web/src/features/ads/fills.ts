import type { ComponentType } from 'react'
import type { Ad } from '#/api/types'
import { Emitter } from '#/lib/emitter'

/** An ad with something to show. */
export type FilledAd = Ad & { creative: NonNullable<Ad['creative']> }

/** What a slot holds. */
export type Fill =
  /** Its room is kept: the answer may still come. */
  | { state: 'reserved' }
  | { state: 'filled'; ad: FilledAd; Creative: ComponentType<{ ad: FilledAd }> }
  /** A network has put its ad there. */
  | { state: 'network' }
  /** Nothing comes, and its room is given up. */
  | { state: 'collapsed' }

export const RESERVED: Fill = { state: 'reserved' }
export const COLLAPSED: Fill = { state: 'collapsed' }

/** The slots of a page by position; those that are absent are reserved. */
export class Fills {
  readonly #all = new Emitter<ReadonlyMap<string, Fill>>(new Map())
  readonly #rooms = new Emitter<ReadonlySet<string>>(new Set())

  /** The positions that the page has room for now: some parts of a page come later than others. */
  rooms = this.#rooms.get
  subscribeToRooms = this.#rooms.subscribe

  subscribe = this.#all.subscribe

  of(position: string): Fill {
    return this.#all.get().get(position) ?? RESERVED
  }

  /** The page has room for a slot, until the returned function is called. */
  enter = (position: string): (() => void) => {
    this.#rooms.set(new Set([...this.#rooms.get(), position]))
    return () => {
      const others = [...this.#rooms.get()].filter((known) => known !== position)
      this.#rooms.set(new Set(others))
    }
  }

  set(position: string, fill: Fill): void {
    this.#all.set(new Map(this.#all.get()).set(position, fill))
  }
}
