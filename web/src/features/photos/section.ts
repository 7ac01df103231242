/** The dashboard's section of the reader's photos. */
export const PHOTOS_SECTION = { hash: '/photos/', label: 'Photos' } as const
