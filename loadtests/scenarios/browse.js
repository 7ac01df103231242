// A guest: the front page, a list of places, the list again with its ETag, a place, and the report of its page.
import exec from 'k6/execution'
import http from 'k6/http'

import { any, expect } from '../lib/checks.js'
import { site } from '../lib/config.js'

const BROWSER = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0'
const page = (name) => ({ tags: { name }, headers: { accept: 'text/html' } })

export function browse({ listings }) {
  expect('front page', http.get(`${site}/`, page('/')), 200, {
    'is a page': ({ headers }) => headers['Content-Type'].startsWith('text/html'),
  })

  const name = '/api/v2/listings/'
  const list = http.get(`${site}${name}`, { tags: { name } })
  expect('list', list, 200, {
    'has places': (answer) => answer.json('results').length > 0,
    'has an ETag': ({ headers }) => Boolean(headers.Etag),
  })
  const known = { tags: { name }, headers: { 'if-none-match': list.headers.Etag || '' } }
  expect('list again', http.get(`${site}${name}`, known), 304)

  const { id, share_url } = any(listings)
  const place = http.get(`${site}${name}${id}/`, { tags: { name: `${name}{id}/` } })
  expect('place', place, 200, { 'is the one': (answer) => answer.json('id') === id })
  expect('page of a place', http.get(`${site}${share_url}`, page('/{type}/{slug}/')), 200)

  // The site's pages send this report when a reader leaves them. Few do here, because one address may send 60 a minute.
  if (exec.scenario.iterationInTest % 200 > 0) return
  const entries = [
    { kind: 'view', page: 'place', item: { kind: 'listing', id } },
    { kind: 'vital', page: 'place', name: 'LCP', value: 900 },
    { kind: 'vital', page: 'place', name: 'INP', value: 40 },
    { kind: 'layout-shift', page: 'place', value: 0 },
  ]
  const telemetry = '/api/v2/telemetry/'
  const sent = http.post(`${site}${telemetry}`, JSON.stringify({ entries }), {
    // The reports of programs are not counted.
    headers: { 'content-type': 'application/json', origin: site, 'user-agent': BROWSER },
    tags: { name: telemetry },
  })
  expect('report of the page', sent, 204)
}
