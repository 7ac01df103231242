/** The keys of the kinds' maps in local storage. A new key would lose the stored maps. */
export const STORAGE_KEYS = {
  favourite: 'favourites:listingMap',
  todo: 'todos:listingMap',
  'article-bookmark': 'article-bookmarks:articleMap',
  'video-bookmark': 'video-bookmarks:videoMap',
  'event-bookmark': 'event-bookmarks:eventMap',
  rating: 'ratings:listingMap',
} as const
