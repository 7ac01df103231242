// A guest: the front page, a list of places, the list again with its ETag, a place.
import http from 'k6/http'

import { any, expect } from '../lib/checks.js'
import { site } from '../lib/config.js'

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
}
