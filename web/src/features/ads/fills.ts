import type { ComponentType } from 'react'
import type { Ad } from '#/api/types'
import { Emitter } from '#/lib/emitter'

/** An ad with a creative. */
export type FilledAd = Ad & { creative: NonNullable<Ad['creative']> }

/** The state of a slot. */
export type Fill =
  /** Its space is reserved until the answer arrives. */
  | { state: 'reserved' }
  | { state: 'filled'; ad: FilledAd; Creative: ComponentType<{ ad: FilledAd }> }
  /** A network has filled it. */
  | { state: 'network' }
  /** It stays empty and takes no space. */
  | { state: 'collapsed' }

export const RESERVED: Fill = { state: 'reserved' }
export const COLLAPSED: Fill = { state: 'collapsed' }

/** The slots of a page by position; unknown slots are reserved. */
export class Fills {
  readonly #all = new Emitter<ReadonlyMap<string, Fill>>(new Map())
  readonly #mounted = new Emitter<ReadonlySet<string>>(new Set())

  /** The positions of the mounted slots: some parts of a page render later than others. */
  mounted = this.#mounted.get
  subscribeToMounted = this.#mounted.subscribe

  subscribe = this.#all.subscribe

  of(position: string): Fill {
    return this.#all.get().get(position) ?? RESERVED
  }

  /** Registers a mounted slot; returns a function that removes it. */
  mount = (position: string): (() => void) => {
    this.#mounted.set(new Set([...this.#mounted.get(), position]))
    return () => {
      const others = [...this.#mounted.get()].filter((known) => known !== position)
      this.#mounted.set(new Set(others))
    }
  }

  set(position: string, fill: Fill): void {
    this.#all.set(new Map(this.#all.get()).set(position, fill))
  }
}
