import { describe, expect, it } from 'vitest'
import type { Navigation, Site } from '#/api/types'
import { sideEntries } from './navigation'

const site = (...hrefs: string[]) =>
  ({
    navigation: hrefs.map((href) => ({ href, label: `Bar ${href}`, external: false })),
  }) as unknown as Site

const NAVIGATION: Navigation = {
  bar: [],
  server_time: '2026-11-20T12:00:00.000Z',
  restaurants: {
    cards: [{ id: 1, title: 'Wren & Fennel', share_url: '/restaurants/wren/', image_url: null }],
    links: [],
  },
  latest_news: {
    cards: [],
    links: [
      { label: 'All News', href: '/news/' },
      { label: 'Culture', href: '/culture/' },
    ],
  },
  places: {
    cards: [],
    links: [
      { label: 'All Places', href: '/places/' },
      { label: 'Bars', href: '/bars/' },
    ],
  },
  videos: { label: 'Videos', href: '/videos/' },
  more: [
    { label: 'Neighbourhoods', href: '/neighbourhoods/' },
    { label: 'Contests', href: '/contests/' },
  ],
  patio_guide: { label: 'Patio guide', href: 'https://patios.example/' },
}

const labels = (site: Site, navigation: Navigation) =>
  sideEntries(site, navigation).main.map(({ label }) => label)

describe('the side menu', () => {
  it('replaces the bar’s link to the same page by the menu, with the specified name', () => {
    const guide = site('/', '/restaurants/', '/news/', '/places/', '/events/', '/neighbourhoods/')
    expect(labels(guide, NAVIGATION)).toEqual([
      'Bar /',
      'Restaurants',
      'Latest News',
      'Places',
      'Bar /events/',
      'Videos',
      'Patio guide',
    ])
  })

  it('shows a section of the news once, and adds the menus that the bar lacks', () => {
    const news = site('/', '/news/', '/culture/', '/videos/')
    expect(labels(news, NAVIGATION)).toEqual([
      'Bar /',
      'Latest News',
      'Bar /videos/',
      'Restaurants',
      'Places',
      'Patio guide',
    ])
  })

  it('shows nothing of a section that is off', () => {
    const bare: Navigation = { bar: [], more: [], server_time: NAVIGATION.server_time }
    expect(sideEntries(site('/'), bare)).toEqual({
      main: [{ href: '/', label: 'Bar /', external: false }],
      more: [],
    })
  })

  it('keeps a link to all restaurants if their menu has no links', () => {
    const { main } = sideEntries(site(), NAVIGATION)
    const restaurants = main.find(({ label }) => label === 'Restaurants')
    expect(restaurants).toMatchObject({
      menu: { links: [{ label: 'All Restaurants', href: '/restaurants/' }] },
    })
  })

  it('has the patio guide as its only external link', () => {
    const { main } = sideEntries(site('/'), NAVIGATION)
    expect(main.filter((entry) => 'external' in entry && entry.external)).toHaveLength(1)
  })
})
