import { Emitter } from './emitter'

/** A change that was not saved, and the action that repeats it. */
export interface Toast {
  message: string
  retry: () => void
}

/** The shown toast; a later one replaces it. */
export const toast = new Emitter<Toast | null>(null)
