import { cleanup, screen, within } from '@testing-library/react'
import { beforeEach, expect, it, vi } from 'vitest'
import type { Site } from '#/api/types'
import { NewsletterPanel } from '#/features/newsletters/NewsletterPanel'
import { session } from '#/features/session/current'
import { systemClock } from '#/lib/time'
import { NEWSLETTERS } from '../../../test/newsletters'
import { renderApp } from '../../../test/render-app'
import { Footer } from './Footer'

const SITE = {
  name: 'Turning Loop',
  tagline: 'For tests',
  start_year: 2004,
  footer: [
    { label: 'All places', href: '/places/', new_tab: false },
    { label: 'Privacy', href: '/privacy/', new_tab: true },
  ],
  social: [],
  newsletters: [],
} as unknown as Site

beforeEach(() => session.start())

async function show(site: Partial<Site> = {}): Promise<HTMLElement> {
  renderApp(<Footer />, { site: { ...SITE, ...site } })
  return screen.findByRole('contentinfo')
}

it('shows the years since the site’s first', async () => {
  vi.spyOn(systemClock, 'now').mockReturnValue(Date.UTC(2026, 10, 20, 12))
  expect(await show()).toHaveTextContent('© 2004–2026 Turning Loop')
})

it('shows one year in the first', async () => {
  vi.spyOn(systemClock, 'now').mockReturnValue(Date.UTC(2026, 10, 20, 12))
  const footer = await show({ start_year: 2026 })
  expect(footer).toHaveTextContent('© 2026 Turning Loop')
})

it('shows the year of the city', async () => {
  // It is already the next year in UTC.
  vi.spyOn(systemClock, 'now').mockReturnValue(Date.UTC(2027, 0, 1, 3))
  expect(await show()).toHaveTextContent('© 2004–2026 Turning Loop')
})

it('starts with the name', async () => {
  expect(within(await show()).getByText('Turning Loop')).toBeVisible()
})

it('starts with the logo in place of the name', async () => {
  const logo = { url: '/media/logo/1.svg', width: 160, height: 40 }
  const image = within(await show({ logo })).getByRole('img', { name: 'Turning Loop' })
  expect(image).toHaveAttribute('src', logo.url)
  expect(image).toHaveAttribute('width', '160')
  expect(image).toHaveAttribute('height', '40')
})

it('opens links in a new tab if the site’s file says so', async () => {
  const footer = within(await show())
  expect(footer.getByRole('link', { name: 'Privacy' })).toHaveAttribute('target', '_blank')
  expect(footer.getByRole('link', { name: 'All places' })).not.toHaveAttribute('target')
})

it('has masthead, app, patio guide and social links if they are configured', async () => {
  const links = {
    masthead: { label: 'Masthead', href: '/masthead/' },
    app: { label: 'Get the app', href: 'https://app.example/' },
    patio_guide: { label: 'Patio guide', href: 'https://patios.example/' },
    social: [{ label: 'Mastodon', href: 'https://social.example/@loop' }],
  }
  const footer = within(await show(links))
  for (const { label, href } of [links.masthead, links.app, links.patio_guide, ...links.social]) {
    expect(footer.getByRole('link', { name: label })).toHaveAttribute('href', href)
  }
})

it('has none of them otherwise', async () => {
  const footer = within(await show())
  expect(footer.getAllByRole('link').map((link) => link.getAttribute('href'))).toEqual([
    '/places/',
    '/privacy/',
  ])
})

it('has a form for the newsletter, unless the page has its own', async () => {
  const footer = within(await show({ newsletters: NEWSLETTERS }))
  expect(await footer.findByRole('textbox', { name: 'Send it to' })).toBeVisible()
  cleanup()
  const page = (
    <>
      <NewsletterPanel type="foods" />
      <Footer />
    </>
  )
  renderApp(page, { site: { ...SITE, newsletters: NEWSLETTERS } })
  // An empty form below a sent one would look like a failure.
  expect(await screen.findAllByRole('textbox', { name: 'Send it to' })).toHaveLength(1)
  expect(screen.getByRole('contentinfo')).not.toHaveTextContent('Top Stories')
})
