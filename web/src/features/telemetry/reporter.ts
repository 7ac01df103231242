import type { ReportEntry } from '#/api/types'

/** Maximum number of entries per report, and per loaded page. */
const MAX_BATCH = 20
const MAX_ENTRIES = 100

/** An entry, made when it is sent. */
type LateEntry = () => ReportEntry

let queue: LateEntry[] = []
let added = 0

/** Adds an entry to the next report, which is sent when it is full or the page is hidden. */
export function report(entry: LateEntry): void {
  if (added >= MAX_ENTRIES) return
  added += 1
  queue.push(entry)
  if (queue.length === MAX_BATCH) sendReport()
}

/** Sends the collected entries. Nothing waits for the answer, and a failed report is lost. */
export function sendReport(): void {
  if (queue.length === 0) return
  const entries = queue.map((entry) => entry())
  queue = []
  // Unlike a beacon, this request has no cookie; and unlike other requests, no address with parameters as its referrer.
  const request = globalThis.fetch('/api/v2/telemetry/', {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ entries }),
    credentials: 'omit',
    keepalive: true,
    referrer: '/',
  })
  request.catch(() => undefined)
}
