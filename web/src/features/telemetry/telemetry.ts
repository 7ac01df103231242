import type { QueryClient } from '@tanstack/react-query'
import type { RegisteredRouter } from '@tanstack/react-router'
import type { PageName, ReportEntry } from '#/api/types'
import { pagePath } from '#/lib/page-path'
import { traceClicks } from './clicks'
import { reportErrors } from './errors'
import { report, sendReport } from './reporter'
import { reportVitals } from './vitals'

type ViewEntry = Extract<ReportEntry, { kind: 'view' }>

/** The page at a path, as far as it is known, and its object. */
export type ShownPage = Omit<ViewEntry, 'kind'>

interface Ports {
  router: RegisteredRouter
  client: QueryClient
  pageAt: (path: string) => ShownPage
}

/** Measures the page: its speed, its errors, its views and its clicks. */
export function measure({ router, client, pageAt }: Ports): void {
  const loaded = currentPath()
  const nameAt = (path: string): PageName => pageAt(path).page
  // The object of a page may still be unknown when the page opens, so its view is counted when it is left.
  let open = loaded
  let isCounted = false

  const leave = (): void => {
    if (isCounted) return
    isCounted = true
    const view: ViewEntry = { kind: 'view', ...pageAt(open) }
    report(() => view)
  }
  router.subscribe('onResolved', () => {
    const path = currentPath()
    if (path === open) return
    leave()
    open = path
    isCounted = false
  })

  reportVitals(() => nameAt(loaded))
  reportErrors(() => nameAt(currentPath()))
  traceClicks(router, client, () => nameAt(currentPath()))

  // The last moments at which a page is sure to run. The library's listeners of the same event run earlier.
  const hide = (): void => {
    leave()
    sendReport()
  }
  window.addEventListener('pagehide', hide)
  window.addEventListener('visibilitychange', () => {
    if (document.visibilityState === 'hidden') hide()
  })
}

/** The viewer of photos is part of its place's page. */
function currentPath(): string {
  return pagePath(window.location.pathname)
}
