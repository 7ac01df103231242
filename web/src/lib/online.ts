import { onlineManager } from '@tanstack/react-query'
import { lazy, useSyncExternalStore, type ComponentType, type LazyExoticComponent } from 'react'

// The library listens once it has a subscriber, and assumes a network until then.
onlineManager.subscribe(() => undefined)
checkNetwork()

/** Whether the browser has a network, not whether the site can be reached. */
export function useIsOnline(): boolean {
  return useSyncExternalStore(
    (listener) => onlineManager.subscribe(listener),
    () => onlineManager.isOnline(),
  )
}

/** Asks the browser again whether it has a network; returns the answer. */
export function checkNetwork(): boolean {
  onlineManager.setOnline(navigator.onLine)
  return onlineManager.isOnline()
}

/** The pause before a failed chunk is loaded again, in ms: enough for a server to restart. */
const PAUSE = 1000

/**
 * Loads a chunk. It waits for the network instead of failing while offline; the current content
 * stays until then. A chunk that fails with a network is loaded once more.
 */
export function online<T>(load: () => Promise<T>): () => Promise<T> {
  let loaded: Promise<T> | undefined
  return async () => {
    // A loaded chunk needs no network.
    if (loaded) return loaded
    const loading = loadWithRetry(load)
    await loading
    loaded = loading
    return loading
  }
}

/** An optional component: `Failed` replaces it if its code does not load. */
export function optionalComponent<P extends object>(
  load: () => Promise<{ default: ComponentType<P> }>,
  Failed: ComponentType,
): LazyExoticComponent<ComponentType<P>> {
  const loadComponent = online(load)
  return lazy(() => loadComponent().catch(() => ({ default: Failed as ComponentType<P> })))
}

async function loadWithRetry<T>(load: () => Promise<T>): Promise<T> {
  // The service worker may have the chunk.
  let needsNetwork = !hasWorker()
  for (let failures = 0; ;) {
    if (needsNetwork && !onlineManager.isOnline()) await networkReturned()
    needsNetwork = true
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

function hasWorker(): boolean {
  return 'serviceWorker' in navigator && navigator.serviceWorker.controller !== null
}

function networkReturned(): Promise<void> {
  return new Promise((resolve) => {
    const stop = onlineManager.subscribe((isOnline) => {
      if (!isOnline) return
      stop()
      resolve()
    })
  })
}
