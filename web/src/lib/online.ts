import { onlineManager } from '@tanstack/react-query'
import { useSyncExternalStore } from 'react'

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

/**
 * Loads a chunk, and waits for the network instead of failing without it; the current content stays
 * until then.
 */
export function online<T>(load: () => Promise<T>): () => Promise<T> {
  let loaded: Promise<T> | undefined
  return async () => {
    // A loaded chunk needs no network.
    if (loaded) return loaded
    if (!onlineManager.isOnline()) await returned()
    const loading = load()
    await loading
    loaded = loading
    return loading
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
