/** A channel to this browser's other tabs; does nothing if the browser has no such channels. */
export interface Channel<T> {
  send(message: T): void
  listen(listener: (message: T) => void): () => void
}

export function openChannel<T>(name: string): Channel<T> {
  if (typeof BroadcastChannel === 'undefined') return { send: () => {}, listen: () => () => {} }
  const channel = new BroadcastChannel(name)
  return {
    send: (message) => channel.postMessage(message),
    listen(listener) {
      const onMessage = (event: MessageEvent<T>): void => listener(event.data)
      channel.addEventListener('message', onMessage)
      return () => channel.removeEventListener('message', onMessage)
    },
  }
}
