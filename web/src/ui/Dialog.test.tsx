import { act, render, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { createBrowserHistory } from '@tanstack/react-router'
import { useState } from 'react'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { followDialogs } from '#/lib/dialog-history'
import { Dialog } from './Dialog'

const { pushState, replaceState, back } = window.history
const native = { pushState, replaceState, back }
const router = { history: createBrowserHistory() }
const navigated = vi.fn<(href: string) => void>()
let listening = new AbortController()

/** Starts the application at the current entry of the browser's history, as a full load does. */
function load(): void {
  listening.abort()
  router.history.destroy()
  listening = new AbortController()
  Object.assign(window.history, native)
  const { addEventListener } = window
  vi.spyOn(window, 'addEventListener').mockImplementation((type, listener, options) =>
    addEventListener.call(window, type, listener, {
      ...(options as object),
      signal: listening.signal,
    }),
  )
  followDialogs()
  router.history = createBrowserHistory()
  router.history.subscribe(({ location }) => navigated(location.href))
  vi.mocked(window.addEventListener).mockRestore()
}

/** Visits a page before the one with the dialogs. */
beforeEach(() => {
  Object.assign(window.history, native)
  window.history.pushState(null, '', '/before/')
  load()
  router.history.push('/page/?parameter')
  router.history.flush()
  navigated.mockClear()
})

afterEach(() => listening.abort())

function Two() {
  const [count, setCount] = useState(0)
  return (
    <>
      <button onClick={() => setCount(1)}>Open</button>
      <Dialog title="First" isOpen={count > 0} onClose={() => setCount(0)}>
        <button onClick={() => setCount(2)}>More</button>
      </Dialog>
      <Dialog title="Second" isOpen={count > 1} onClose={() => setCount(1)}>
        <button onClick={() => setCount(0)}>Finish</button>
      </Dialog>
    </>
  )
}

const press = (name: string) => userEvent.click(screen.getByRole('button', { name }))
const pressBack = () => act(() => window.history.go(-1))
const pressForward = () => act(() => window.history.go(1))
/** Whether a dialog is the topmost one; without a name, that none is open. */
const shows = (...names: string[]) =>
  waitFor(() =>
    expect(screen.queryAllByRole('heading').map(({ textContent }) => textContent)).toEqual(names),
  )
const isAt = (address: string) =>
  waitFor(() => expect(window.location.pathname + window.location.search).toBe(address))
/** The traversals of the browser end in tasks. */
const settle = () => act(() => new Promise((resolve) => setTimeout(resolve, 20)))

it('closes the topmost dialog by Back, and stays on the page', async () => {
  render(<Two />)
  await press('Open')
  await press('More')
  await shows('Second')
  pressBack()
  await shows('First')
  pressBack()
  await shows()
  await isAt('/page/?parameter')
  expect(navigated).not.toHaveBeenCalled()
  pressBack()
  await isAt('/before/')
  await waitFor(() => expect(navigated.mock.calls).toEqual([['/before/']]))
})

it('leaves the page by Back after a dialog was closed otherwise, and Forward opens nothing', async () => {
  render(<Two />)
  await press('Open')
  await press('More')
  await press('Finish')
  await shows()
  await settle()
  pressForward()
  await settle()
  await shows()
  pressBack()
  await isAt('/before/')
})

it('returns to the page by Back after a link in a dialog', async () => {
  render(<Two />)
  await press('Open')
  await settle()
  await act(async () => {
    screen.getByRole('button', { name: 'Close' }).click()
    router.history.push('/next/')
  })
  await isAt('/next/')
  pressBack()
  await isAt('/page/?parameter')
  await settle()
  pressForward()
  await isAt('/next/')
  expect(navigated.mock.calls).toEqual([['/next/'], ['/page/?parameter'], ['/next/']])
})

it('keeps an address that changed while a dialog was open', async () => {
  render(<Two />)
  await press('Open')
  await settle()
  router.history.replace('/page/')
  await isAt('/page/')
  pressBack()
  await shows()
  await isAt('/page/')
})

it('leaves the page by the application’s own Back while a dialog is open', async () => {
  render(<Two />)
  await press('Open')
  await settle()
  router.history.back()
  await isAt('/before/')
  expect(navigated.mock.calls).toEqual([['/before/']])
})

it('needs one Back to leave a page that was reloaded with an open dialog', async () => {
  const { unmount } = render(<Two />)
  await press('Open')
  await settle()
  unmount()
  load()
  await settle()
  pressBack()
  await isAt('/before/')
})
