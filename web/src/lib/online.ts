import { onlineManager } from '@tanstack/react-query'
import { useSyncExternalStore } from 'react'

// The library listens from its first subscriber on, and takes the network for granted until then.
onlineManager.subscribe(() => undefined)
onlineManager.setOnline(navigator.onLine)

/** What the browser knows: whether there is a network, not whether it leads anywhere. */
export function useIsOnline(): boolean {
  return useSyncExternalStore(
    (listener) => onlineManager.subscribe(listener),
    () => onlineManager.isOnline(),
  )
}

/**
 * A piece of the site that waits for the network instead of failing without it: what is shown
 * meanwhile stays, and the piece comes as soon as it can.
 */
export function online<T>(load: () => Promise<T>): () => Promise<T> {
  let loaded: Promise<T> | undefined
  return async () => {
    // What is there once needs no network.
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
