import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { focusHeadings } from './focus-heading'

type Change = { fromLocation?: { pathname: string }; toLocation: { pathname: string } }
type Listener = (change: Change) => void

let listeners: Record<string, Listener>

beforeEach(() => {
  listeners = {}
  document.body.innerHTML = '<header><a href="/">Home</a></header><main tabindex="-1"></main>'
  focusHeadings({
    subscribe: (event: string, listener: Listener) => {
      listeners[event] = listener
      return () => undefined
    },
  } as never)
})
afterEach(() => {
  document.body.innerHTML = ''
})

const main = () => document.querySelector('main') as HTMLElement
const link = () => document.querySelector('a') as HTMLElement

function go(from: string | undefined, to: string, content: string): void {
  const change = {
    ...(from !== undefined && { fromLocation: { pathname: from } }),
    toLocation: { pathname: to },
  }
  listeners['onBeforeNavigate']?.(change)
  main().innerHTML = content
  listeners['onRendered']?.(change)
}

it('focuses the heading of a new page, from a link in the frame or in the page', () => {
  link().focus()
  go('/', '/events/', '<h1>Events</h1>')
  expect(document.activeElement?.textContent).toBe('Events')
  expect(document.activeElement).toHaveAttribute('tabindex', '-1')
  go('/events/', '/videos/', '<h1>Videos</h1>')
  expect(document.activeElement?.textContent).toBe('Videos')
})

it('waits for the heading of a page that is loading, and follows one that replaces a skeleton’s', async () => {
  link().focus()
  go('/', '/search', '<div>…</div>')
  expect(document.activeElement).toBe(link())
  main().innerHTML = '<h1>Search</h1>'
  await vi.waitFor(() => expect(document.activeElement?.textContent).toBe('Search'))
  main().innerHTML = '<h1>Results</h1>'
  await vi.waitFor(() => expect(document.activeElement?.textContent).toBe('Results'))
})

it('leaves the focus to the first page, to a photo over its place, and to another query', () => {
  link().focus()
  go(undefined, '/events/', '<h1>Events</h1>')
  go('/events/', '/events/', '<h1>Events</h1>')
  go('/cafes/oak/', '/cafes/oak/photos/1', '<h1>Oak</h1>')
  expect(document.activeElement).toBe(link())
})

it('leaves the focus to a control that the page has focused', () => {
  link().focus()
  listeners['onBeforeNavigate']?.({ toLocation: { pathname: '/search' } })
  main().innerHTML = '<h1>Search</h1><input>'
  main().querySelector('input')?.focus()
  listeners['onRendered']?.({
    fromLocation: { pathname: '/' },
    toLocation: { pathname: '/search' },
  })
  expect(document.activeElement?.localName).toBe('input')
})

it('stops once the reader acts', async () => {
  link().focus()
  go('/', '/events/', '<div>…</div>')
  link().dispatchEvent(new KeyboardEvent('keydown', { key: 'Tab', bubbles: true }))
  main().innerHTML = '<h1>Events</h1>'
  await Promise.resolve()
  expect(document.activeElement).toBe(link())
})
