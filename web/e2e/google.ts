import { expect } from '@playwright/test'
import { spawn } from 'node:child_process'
import { env, freePort, test as base } from './sites'

interface Account {
  events: { summary: string }[]
  writes: number
  refreshes: number
}

/** The stand-in for Google, with one reader's account. */
interface Google {
  /** The address of a site that uses it. */
  site: string
  /** The calendar of the account, and what the site has asked for. */
  account(): Promise<Account>
  /** Ends the site's access, as the reader can in the account's settings. */
  revoke(): Promise<void>
  /** Lets access tokens expire before their time. */
  expireTokens(): Promise<void>
}

/** Tests on a site whose readers have calendars. */
export const test = base.extend<{ google: Google }>({
  google: async ({ request, serve }, provide) => {
    const port = await freePort()
    const url = `http://127.0.0.1:${port}`
    // It ends when its standard input does: with this process at the latest.
    const standIn = spawn(env('THIRD_PARTIES'), [`google=${port}`], {
      stdio: ['pipe', 'ignore', 'inherit'],
    })
    const account = async () => (await (await request.get(`${url}/account`)).json()) as Account
    const change = async (path: string) => {
      expect((await request.post(`${url}/account/${path}`)).ok()).toBe(true)
    }
    await expect
      .poll(
        () =>
          account().then(
            ({ events }) => events.length,
            () => null,
          ),
        {
          message: 'the stand-in for Google',
        },
      )
      .toBe(0)
    const google = 'CITYGUIDE__CALENDAR__GOOGLE__'
    const site = await serve('guide', {
      settings: {
        [`${google}CLIENT_ID`]: 'guide.apps.test',
        [`${google}CLIENT_SECRET`]: 'a secret of the stand-in',
        [`${google}AUTHORIZATION_URL`]: `${url}/auth`,
        [`${google}TOKEN_URL`]: `${url}/token`,
        [`${google}REVOCATION_URL`]: `${url}/revoke`,
        [`${google}API_URL`]: `${url}/calendar`,
        CITYGUIDE__DATABASE__URL: env('THIRD_PARTIES_DATABASE'),
        CITYGUIDE__INTERNAL__KEY: 'a key of this test alone, as long as it must be',
      },
    })
    await provide({
      site,
      account,
      revoke: () => change('revoke'),
      expireTokens: () => change('expire'),
    })
    standIn.stdin.end()
  },
})
