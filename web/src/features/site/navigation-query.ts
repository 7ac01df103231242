import { apiQuery } from '#/lib/api-queries'

/** The contents of the menus, which are fetched when a menu is about to open. */
export function navigationOptions() {
  return { ...apiQuery('/api/v2/navigation/'), staleTime: 10 * 60_000 }
}
