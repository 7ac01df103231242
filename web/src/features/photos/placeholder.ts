import { thumbHashToDataURL } from 'thumbhash'

const known = new Map<string, string | undefined>()

/** The blurred picture of a ThumbHash as a background; undefined for a missing or invalid one. */
export function placeholderOf(thumbhash: string | null): string | undefined {
  if (!thumbhash) return undefined
  if (!known.has(thumbhash)) known.set(thumbhash, decoded(thumbhash))
  return known.get(thumbhash)
}

function decoded(thumbhash: string): string | undefined {
  try {
    const bytes = Uint8Array.from(atob(thumbhash), (character) => character.charCodeAt(0))
    return `url("${thumbHashToDataURL(bytes)}")`
  } catch {
    return undefined
  }
}
