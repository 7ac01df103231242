// A run's target site and its profile.
import http from 'k6/http'
import { fail } from 'k6'

import { register } from './session.js'

export const site = (__ENV.BASE_URL || 'http://127.0.0.1:8080').replace(/\/$/, '')

const name = __ENV.PROFILE || 'smoke'
const profile = JSON.parse(open(`../profiles/${name}.json`))

// DURATION overrides the duration of a run, for example to match a roll-out.
if (__ENV.DURATION) {
  for (const scenario of Object.values(profile.scenarios)) {
    scenario.duration = __ENV.DURATION
  }
}

export const options = {
  scenarios: profile.scenarios,
  thresholds: profile.thresholds,
  userAgent: 'cityguide-loadtests',
  // The summary's columns, with the percentiles that objectives are set for.
  summaryTrendStats: ['min', 'med', 'avg', 'p(95)', 'p(99)', 'max'],
}

/** The site's places and a few signed-in readers, fetched and registered once for all virtual users. */
export function setup() {
  const answer = http.get(`${site}/api/v2/listings/?limit=100`, { tags: { name: 'setup' } })
  if (answer.status !== 200) {
    fail(`${site} does not serve its places: ${answer.status} ${answer.error}`)
  }
  const listings = answer.json('results').map(({ id, share_url }) => ({ id, share_url }))
  if (listings.length === 0) {
    fail(`${site} has no places`)
  }
  const readers = []
  for (let made = 0; made < profile.readers; made += 1) {
    readers.push(register(site))
  }
  return { listings, readers }
}
