import { api } from '#/lib/api'
import { dataOf } from '#/lib/http'
import { currentPath, leaveSite } from '#/lib/site-path'

/** Opens the page on which the reader lets the site write to their calendar; it redirects back here. */
export async function leaveFor(): Promise<void> {
  const answer = api.GET('/api/v2/profiles/oauth-authorization', {
    params: { query: { next_url: currentPath() } },
  })
  const { authorization_url } = await dataOf(answer)
  leaveSite(authorization_url)
}
