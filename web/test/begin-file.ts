import { vi } from 'vitest'

/** Events that libraries outside a file's own modules listen to: they add their listeners once for all files. */
const OF_LIBRARIES = new Set(['blur', 'focus', 'selectionchange'])

/** Functions that end the current file's timers and listeners; all files of a worker share the map. */
const shared = globalThis as typeof globalThis & { undo?: Map<unknown, () => void> }

/** Gives a file of tests its own modules and a page on which the former file of its worker has left nothing. */
export function beginFile(): void {
  vi.resetModules()
  vi.useRealTimers()
  vi.unstubAllGlobals()
  if (!shared.undo) {
    shared.undo = new Map()
    for (const target of [window, document]) recordListeners(target, shared.undo)
    recordTimers(shared.undo)
  }
  endTimersAndListeners()
  document.head.replaceChildren()
  document.body.replaceChildren()
  // Some modules replace these functions of the prototype.
  for (const name of ['pushState', 'replaceState']) Reflect.deleteProperty(window.history, name)
  window.history.replaceState(null, '', '/')
  window.localStorage.clear()
  window.sessionStorage.clear()
}

/** Ends the timers and listeners of the current file, which would otherwise send requests during the next. */
export function endTimersAndListeners(): void {
  for (const undo of shared.undo?.values() ?? []) undo()
  shared.undo?.clear()
}

function recordListeners(target: EventTarget, undo: Map<unknown, () => void>): void {
  const add = target.addEventListener.bind(target)
  target.addEventListener = (type, listener, options) => {
    add(type, listener, options)
    if (OF_LIBRARIES.has(type)) return
    undo.set({}, () => target.removeEventListener(type, listener, options))
  }
}

function recordTimers(undo: Map<unknown, () => void>): void {
  const { setTimeout, setInterval, clearTimeout } = globalThis
  const recorded = <T extends typeof setTimeout | typeof setInterval>(begin: T): T =>
    Object.assign((...timer: Parameters<T>) => {
      const id = Reflect.apply(begin, globalThis, timer) as ReturnType<T>
      undo.set(id, () => clearTimeout(id))
      return id
    }, begin) as T
  globalThis.setTimeout = recorded(setTimeout)
  globalThis.setInterval = recorded(setInterval)
}
