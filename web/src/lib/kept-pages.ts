/**
 * Whether the service worker has a copy of the current page that has not been shown yet: the document was loaded for
 * another page.
 */
export async function hasKeptPage(): Promise<boolean> {
  if (!('serviceWorker' in navigator) || !navigator.serviceWorker.controller) return false
  const [loaded] = performance.getEntriesByType('navigation')
  const { origin, pathname } = window.location
  if (loaded && new URL(loaded.name).pathname === pathname) return false
  return (await caches.match(origin + pathname)) !== undefined
}
