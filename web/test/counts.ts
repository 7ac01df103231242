import type { DashboardCounts } from '#/api/types'

/** The dashboard's counts of a reader who has saved nothing. */
export const NO_COUNTS: DashboardCounts = {
  favourites: 0,
  todos: 0,
  todos_completed: 0,
  article_bookmarks: 0,
  event_bookmarks: 0,
  video_bookmarks: 0,
  ratings: 0,
  photos: 0,
}
