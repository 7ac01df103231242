// A reader who saves a place and removes it again; each confirmed change is read back.
import http from 'k6/http'
import exec from 'k6/execution'

import { expect } from '../lib/checks.js'
import { site } from '../lib/config.js'
import { as } from '../lib/session.js'

const FAVOURITES = '/api/v2/favourites/'
const MAP = `${FAVOURITES}listing_ids/`
const HI = '/api/v2/profiles/hi/'

export function toggle({ listings, readers }) {
  const { idInTest } = exec.vu
  const reader = readers[idInTest % readers.length]
  // No two virtual users with the same reader save the same place.
  const turn = Math.floor(idInTest / readers.length)
  const { id: listing } = listings[turn % listings.length]
  const ask = (name) => as(site, reader, name)
  const map = () => http.get(`${site}${MAP}`, ask(MAP))
  const holds = (answer) => answer.json('results').some(({ listing_id }) => listing_id === listing)

  const kept = http.post(`${site}${FAVOURITES}`, JSON.stringify({ listing }), ask(FAVOURITES))
  if (!expect('keep', kept, 201)) {
    return
  }
  const { id, server_time } = kept.json()
  expect('map after keeping', map(), 200, { 'holds the place': holds })
  expect('hi', http.get(`${site}${HI}`, ask(HI)), 200, {
    'is not behind the write': (answer) =>
      Date.parse(answer.json('last_updates.favourites')) >= Date.parse(server_time),
  })

  const one = `${FAVOURITES}{id}/`
  expect('let go', http.del(`${site}${FAVOURITES}${id}/`, null, ask(one)), 204)
  expect('map after letting go', map(), 200, { 'lacks the place': (answer) => !holds(answer) })
}
