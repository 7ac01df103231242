/** The API takes this many ids in one call. */
export const CHUNK = 100
/** Calls for the ids of one list: what was saved before the last 300 is left out. */
const MOST_CHUNKS = 3

/** Ids in the parts that the API takes, as many as the dashboard asks about. */
export function chunksOf(ids: readonly number[]): number[][] {
  const count = Math.min(MOST_CHUNKS, Math.ceil(ids.length / CHUNK))
  return Array.from({ length: count }, (_, at) => ids.slice(at * CHUNK, (at + 1) * CHUNK))
}
