/**
 * How a browser tells every site, on its user's behalf, not to share what they do: Global Privacy Control, the signal of
 * "Do Not Sell" laws, or Do Not Track, which some browsers still have.
 */
export type Signal = 'Global Privacy Control' | 'Do Not Track'

/** The browser's signal, if it sends one. It counts as a refusal, whatever else was chosen. */
export function browserSignal(): Signal | null {
  const { globalPrivacyControl, doNotTrack } = navigator as {
    globalPrivacyControl?: unknown
    doNotTrack?: unknown
  }
  if (globalPrivacyControl === true) return 'Global Privacy Control'
  return doNotTrack === '1' ? 'Do Not Track' : null
}
