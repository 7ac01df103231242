import type { QueryClient } from '@tanstack/react-query'
import type { RegisteredRouter } from '@tanstack/react-router'
import type { PageName } from '#/api/types'
import { setTraceparent } from '#/lib/http'
import { report } from './reporter'

/** A navigation that begins later was not caused by the click, in milliseconds. */
const MAX_DELAY = 1_000
/** The longest way that is reported, and the longest wait for the report, in milliseconds. */
const MAX_DURATION = 600_000
const MAX_AGE = 86_400_000

interface Way {
  traceparent: string
  begunAt: number
}

/**
 * Traces the way from the click on a link to the page that it opens: the requests of the new page belong to a trace
 * that begins at the click.
 */
export function traceClicks(
  router: RegisteredRouter,
  client: QueryClient,
  currentPage: () => PageName,
): void {
  let clickedAt = Number.NEGATIVE_INFINITY
  let way: Way | undefined

  document.addEventListener(
    'click',
    ({ target, timeStamp }) => {
      if (target instanceof Element && target.closest('a[href]')) clickedAt = timeStamp
    },
    { capture: true },
  )
  router.subscribe('onBeforeNavigate', ({ pathChanged }) => {
    end()
    if (!pathChanged || performance.now() - clickedAt > MAX_DELAY) return
    way = { traceparent: makeTraceparent(), begunAt: clickedAt }
    clickedAt = Number.NEGATIVE_INFINITY
    setTraceparent(way.traceparent)
  })
  router.subscribe('onRendered', () => {
    const rendered = way
    if (!rendered) return
    // A skeleton may be rendered first.
    const finish = (): void => {
      if (client.isFetching() > 0) return
      stop()
      if (way === rendered) finished(rendered)
    }
    const stop = client.getQueryCache().subscribe(finish)
    finish()
  })

  function end(): void {
    way = undefined
    setTraceparent(undefined)
  }

  function finished({ traceparent, begunAt }: Way): void {
    end()
    const duration = performance.now() - begunAt
    if (duration > MAX_DURATION) return
    const page = currentPage()
    report(() => {
      const ago = Math.min(performance.now() - begunAt, MAX_AGE)
      return { kind: 'click', page, traceparent, duration, ago }
    })
  }
}

/** A new trace and its first span (https://www.w3.org/TR/trace-context/). */
function makeTraceparent(): string {
  const hex = (bytes: number): string =>
    [...crypto.getRandomValues(new Uint8Array(bytes))]
      .map((byte) => byte.toString(16).padStart(2, '0'))
      .join('')
  return `00-${hex(16)}-${hex(8)}-01`
}
