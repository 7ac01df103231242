/** The API's maximum number of ids per call. */
export const CHUNK = 100
/** Maximum number of calls per list: only the last 300 saved things are included. */
const MAX_CHUNKS = 3

/** The ids to request, divided into calls. */
export function chunksOf(ids: readonly number[]): number[][] {
  const count = Math.min(MAX_CHUNKS, Math.ceil(ids.length / CHUNK))
  return Array.from({ length: count }, (_, at) => ids.slice(at * CHUNK, (at + 1) * CHUNK))
}
