/** The filters in an address of the archive. */
export const ARCHIVE_FILTERS = ['author', 'tag', 'from', 'to'] as const
