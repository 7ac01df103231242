import { onlineManager } from '@tanstack/react-query'
import { lazy, useSyncExternalStore, type ComponentType, type LazyExoticComponent } from 'react'

// The library listens from its first subscriber on, and takes the network for granted until then.
onlineManager.subscribe(() => undefined)
onlineManager.setOnline(navigator.onLine)

/** Whether the browser has a network, not whether the site can be reached. */
export function useIsOnline(): boolean {
  return useSyncExternalStore(
    (listener) => onlineManager.subscribe(listener),
    () => onlineManager.isOnline(),
  )
}

/** Before a chunk that failed is loaded once more, in ms: a server that restarts answers again by then. */
const PAUSE = 1000

/**
 * Loads a chunk, and waits for the network instead of failing without it, also if the network goes meanwhile; the
 * current content stays until then. A chunk that fails with a network is loaded once more.
 */
export function online<T>(load: () => Promise<T>): () => Promise<T> {
  let loaded: Promise<T> | undefined
  return async () => {
    // A loaded chunk needs no network.
    if (loaded) return loaded
    const loading = loadAtLast(load)
    await loading
    loaded = loading
    return loading
  }
}

/** A part that the page can do without: if its code does not load, `Failed` stands in its place. */
export function optionalPart<P extends object>(
  load: () => Promise<{ default: ComponentType<P> }>,
  Failed: ComponentType,
): LazyExoticComponent<ComponentType<P>> {
  const loadPart = online(load)
  return lazy(() => loadPart().catch(() => ({ default: Failed as ComponentType<P> })))
}

async function loadAtLast<T>(load: () => Promise<T>): Promise<T> {
  for (let failures = 0; ;) {
    if (!onlineManager.isOnline()) await returned()
    try {
      return await load()
    } catch (error) {
      if (!onlineManager.isOnline()) continue
      failures += 1
      if (failures > 1) throw error
      await new Promise((resolve) => setTimeout(resolve, PAUSE))
    }
  }
}

function returned(): Promise<void> {
  return new Promise((resolve) => {
    const stop = onlineManager.subscribe((isOnline) => {
      if (!isOnline) return
      stop()
      resolve()
    })
  })
}
