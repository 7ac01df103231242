import { expect } from '@playwright/test'
import { env, test as base } from './sites'
import { settingsWith, startStandIn } from './third-parties'

interface Account {
  events: { summary: string }[]
  writes: number
  refreshes: number
}

/** A stand-in for Google, with one reader's account. */
interface Google {
  /** The address of a site that uses the stand-in. */
  site: string
  /** The calendar of the account, and the site's requests. */
  account(): Promise<Account>
  /** Revokes the site's access, as the reader can in the account's settings. */
  revoke(): Promise<void>
  /** Expires access tokens early. */
  expireTokens(): Promise<void>
}

/** Tests on a site with calendars. */
export const test = base.extend<{ google: Google }>({
  google: async ({ request, serve }, provide) => {
    const { url, stop } = await startStandIn('google', '/account')
    const account = async () => (await (await request.get(`${url}/account`)).json()) as Account
    const change = async (path: string) => {
      expect((await request.post(`${url}/account/${path}`)).ok()).toBe(true)
    }
    const google = 'CITYGUIDE__CALENDAR__GOOGLE__'
    const settings = settingsWith({
      // With a shared database, another site could take the calendar jobs and would have no calendar to write to.
      CITYGUIDE__DATABASE__URL: env('CALENDARS_DATABASE'),
      [`${google}CLIENT_ID`]: 'guide.apps.test',
      [`${google}CLIENT_SECRET`]: 'a secret of the stand-in',
      [`${google}AUTHORIZATION_URL`]: `${url}/auth`,
      [`${google}TOKEN_URL`]: `${url}/token`,
      [`${google}REVOCATION_URL`]: `${url}/revoke`,
      [`${google}API_URL`]: `${url}/calendar`,
    })
    const site = await serve('guide', { settings })
    await provide({
      site,
      account,
      revoke: () => change('revoke'),
      expireTokens: () => change('expire'),
    })
    stop()
  },
})
