import { leaveDialogs } from './dialog-history'

/**
 * A path of this site, or the fallback. The path must not point to another site, even after it is decoded once or
 * twice: browsers follow `//e`, `/\e`, `https:e` and `javascript:`, and `%2f%2fe` becomes `//e`.
 */
export function sitePath(candidate: string | null | undefined, fallback: string): string {
  if (!candidate) return fallback
  let decoded = candidate
  for (let round = 0; round < 3; round += 1) {
    if (!isLocal(decoded)) return fallback
    try {
      decoded = decodeURIComponent(decoded)
    } catch {
      return fallback
    }
  }
  return isLocal(decoded) ? candidate : fallback
}

function isLocal(path: string): boolean {
  const hasControl = /\p{Cc}/u.test(path)
  return path.startsWith('/') && !/^\/[/\\]/.test(path) && !hasControl
}

/** The current path with its hash, which contains the dashboard's section. */
export function currentPath(): string {
  return window.location.pathname + window.location.search + window.location.hash
}

/** Loads a path with a full page load, even if it is the current address. */
export function loadPage(path: string): void {
  const url = new URL(path, window.location.origin)
  const here = window.location
  leaveDialogs()
  if (url.pathname === here.pathname && url.search === here.search) {
    window.history.replaceState(window.history.state, '', path)
    here.reload()
  } else {
    here.assign(path)
  }
}

/** Opens a page of another site, at an address from our server. */
export function leaveSite(address: string): void {
  leaveDialogs()
  window.location.assign(address)
}
