declare module '@tanstack/react-router' {
  interface HistoryState {
    /** Whether a photo was opened from the page of its place, to which Back leads then. */
    isFromPlace?: boolean
  }
}

/** The state of a photo's address that was opened from its place's page. */
export const FROM_PLACE = { isFromPlace: true } as const
