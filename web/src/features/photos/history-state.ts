declare module '@tanstack/react-router' {
  interface HistoryState {
    /** Whether a photo was opened from the page of its place, which Back returns to. */
    isFromPlace?: boolean
  }
}

export const FROM_PLACE = { isFromPlace: true } as const
