import { onlineManager } from '@tanstack/react-query'
import { act, cleanup, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { renderApp } from '../../test/render-app'
import { PageSkeleton, PendingPage, shapeOf } from './PageSkeleton'

const SITE = {
  city_slug: 'toronto',
  article_sections: [{ slug: 'news', name: 'News' }],
}

afterEach(() => act(() => onlineManager.setOnline(true)))

describe('the shape of a page that is coming', () => {
  it.each([
    ['/', 'front'],
    ['/places/', 'grid'],
    ['/accounts/dashboard', 'grid'],
    ['/restaurants/', 'grid'],
    ['/events/', 'diary'],
    ['/toronto/', 'grid'],
    ['/toronto/best-brunch/', 'ranking'],
    ['/neighbourhoods/harbour/', 'grid'],
    ['/restaurants/pai/', 'detail'],
    ['/news/', 'grid'],
    ['/news/a-headline/', 'article'],
    ['/contact/', 'text'],
    ['/accounts/login', 'text'],
    ['/restaurants/pai/photos/upload/', 'text'],
  ])('of %s is: %s', (path, shape) => {
    expect(shapeOf(path, SITE)).toBe(shape)
  })

  it('follows the kind, once the path is resolved', () => {
    expect(shapeOf('/jobs/', SITE, 'page')).toBe('text')
    expect(shapeOf('/restaurants/', SITE, 'listing-type')).toBe('grid')
  })
})

it('is replaced by a notice without a network, and returns with the network', async () => {
  act(() => onlineManager.setOnline(false))
  renderApp(<PageSkeleton path="/restaurants/pai/" />, { site: SITE })
  expect(await screen.findByRole('heading', { name: 'This has not loaded yet' })).toBeVisible()
  expect(screen.queryByRole('group', { name: /^Loading/ })).toBeNull()
  act(() => onlineManager.setOnline(true))
  expect(screen.getByRole('group', { name: 'Loading the page' })).toBeVisible()
})

it('asks the browser for its network again on request', async () => {
  const network = vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(false)
  act(() => onlineManager.setOnline(false))
  renderApp(<PageSkeleton path="/places/" />, { site: SITE })
  const retry = await screen.findByRole('button', { name: 'Try again' })
  await userEvent.click(retry)
  expect(screen.getByRole('status')).toHaveTextContent('There is still no connection.')
  network.mockReturnValue(true)
  await userEvent.click(retry)
  expect(screen.getByRole('group', { name: 'Loading the page' })).toBeVisible()
})

it('begins at the top, like the page that it replaces', async () => {
  // As in Chromium, which returns a promise.
  const scrollTo = vi.spyOn(window, 'scrollTo').mockReturnValue(Promise.resolve() as never)
  renderApp(<PendingPage />, { site: SITE, at: '/contact/', path: '/contact/' })
  expect(await screen.findByRole('group', { name: 'Loading the page' })).toBeVisible()
  expect(scrollTo).toHaveBeenCalledWith({ top: 0, behavior: 'instant' })
  expect(cleanup).not.toThrow()
})

it('has the question of a search in its heading', async () => {
  renderApp(<PendingPage />, { site: SITE, at: '/search?q=ramen', path: '/search' })
  expect(await screen.findByRole('heading', { level: 1 })).toHaveTextContent('Results for “ramen”')
  expect(document.title).toMatch(/^Results for “ramen”/)
})
