import { expect, it } from 'vitest'
import type { OpenPlace, TonightEvent } from '#/api/types'
import { onMap } from './on-map'

it('shows places and events where they are, and knows which are events', () => {
  const parkdale = { name: 'Parkdale', share_url: '/neighbourhoods/parkdale/' }
  const place = (id: number, position: number[] | null, neighbourhood = parkdale) =>
    ({ id, name: `Place ${id}`, share_url: '/', position, neighbourhood }) as unknown as OpenPlace
  const event = (id: number, position: number[] | null) =>
    ({ id, name: `Event ${id}`, share_url: '/', position }) as unknown as TonightEvent
  const shown = onMap([place(1, [43.6, -79.4]), place(2, null)], [event(1, [43.7, -79.5])])
  expect(shown.map(({ name, coordinates }) => [name, coordinates])).toEqual([
    ['Place 1', { lat: 43.6, lng: -79.4 }],
    ['Place 2', null],
    ['Event 1', { lat: 43.7, lng: -79.5 }],
  ])
  expect(shown.map((one) => 'isEvent' in one)).toEqual([false, false, true])
  expect(shown[0]?.default_neighborhood).toEqual(parkdale)
})
