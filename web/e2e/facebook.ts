import { test as base } from './sites'
import { settingsWith, startStandIn } from './third-parties'

interface Facebook {
  /** The address of a site that supports Facebook log-ins. */
  site: string
  /** The address of the person who is logged in to Facebook in every browser. It is unique to each test. */
  email: string
}

/** Tests on a site with a Facebook app. */
export const test = base.extend<{ facebook: Facebook }>({
  facebook: async ({ serve }, provide) => {
    const { pid, url, stop } = await startStandIn('facebook', '/graph/me')
    const settings = settingsWith({
      CITYGUIDE__FACEBOOK__APP_ID: '4207849484',
      CITYGUIDE__FACEBOOK__APP_SECRET: 'a secret of the app',
      CITYGUIDE__FACEBOOK__DIALOG_URL: `${url}/dialog`,
      CITYGUIDE__FACEBOOK__GRAPH_URL: `${url}/graph`,
    })
    const site = await serve('guide', { settings })
    await provide({ site, email: `ada.${pid}@example.com` })
    stop()
  },
})
