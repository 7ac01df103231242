import { openLoginHere, requireGuest, requireReader } from './guards'
import {
  archiveSearch,
  contactSearch,
  eventsSearch,
  gridSearch,
  nextAddress,
  placesSearch,
  searchWords,
  tonightSearch,
} from './search-params'

/** The parameters and guards of pages, by path. The generated table guards the pages of sections. */
const OPTIONS = {
  '/places/': { validateSearch: placesSearch },
  '/archives/': { validateSearch: archiveSearch },
  '/events/': { validateSearch: eventsSearch },
  '/tonight/': { validateSearch: tonightSearch },
  '/contests/': { validateSearch: gridSearch },
  '/videos/': { validateSearch: gridSearch },
  '/contact/': { validateSearch: contactSearch },
  '/search': { validateSearch: searchWords },
  '/accounts/login': {
    validateSearch: nextAddress,
    beforeLoad: requireGuest,
    onEnter: openLoginHere,
  },
  '/accounts/dashboard': { beforeLoad: requireReader },
  '/profiles/logout': { validateSearch: nextAddress },
}
type Options = typeof OPTIONS

/** The options of a page's route, in addition to its row of the table. */
export function pageOptions<P extends string>(
  path: P,
): P extends keyof Options ? Options[P] : object {
  const options: Record<string, object> = OPTIONS
  return (options[path] ?? {}) as P extends keyof Options ? Options[P] : object
}
