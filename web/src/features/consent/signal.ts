/**
 * The signals by which a browser refuses sharing on its user's behalf: Global Privacy Control,
 * which "Do Not Sell" laws recognise, and Do Not Track, which some browsers still send.
 */
export type Signal = 'Global Privacy Control' | 'Do Not Track'

/** The browser's signal, if it sends one. It counts as a refusal, regardless of other choices. */
export function browserSignal(): Signal | null {
  const { globalPrivacyControl, doNotTrack } = navigator as {
    globalPrivacyControl?: unknown
    doNotTrack?: unknown
  }
  if (globalPrivacyControl === true) return 'Global Privacy Control'
  return doNotTrack === '1' ? 'Do Not Track' : null
}
