import { useSyncExternalStore } from 'react'
import { Emitter } from '#/lib/emitter'

const message = new Emitter('')

/** Sends a message to screen readers without moving the focus. */
export function announce(text: string): void {
  // A repeated message is not a change, and would not be read again.
  message.set(text === message.get() ? `${text}\u00a0` : text)
}

export function Announcer() {
  const text = useSyncExternalStore(message.subscribe, message.get)
  return (
    <div className="visually-hidden" role="status">
      {text}
    </div>
  )
}
