import { localStore } from './storage'

/** Logs for developers, which are shown only while `debug_logging` is set. */
export function debug(what: string, detail?: unknown): void {
  if (localStore.get('debug_logging') === null) return
  // oxlint-disable-next-line no-console -- the one place that writes to the console, and on request only
  console.info(what, detail)
}
