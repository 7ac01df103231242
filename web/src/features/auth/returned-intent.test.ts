import { afterEach, expect, it, vi } from 'vitest'
import { removeIntentFromAddress } from './returned-intent'

const scrolledTo = vi.fn<(element: Element) => void>()

function arrive(address: string): void {
  window.history.replaceState({ kept: true }, '', address)
  Element.prototype.scrollIntoView = function (this: Element) {
    scrolledTo(this)
  }
  removeIntentFromAddress()
}

const address = () => window.location.pathname + window.location.search + window.location.hash

afterEach(() => {
  scrolledTo.mockClear()
  document.body.innerHTML = ''
  window.history.replaceState(null, '', '/')
})

it('removes the action and its object from the address, and leaves the rest', () => {
  arrive('/bars/?ordering=name&post_authenticate_action=favourite&object_id=5#top')
  expect(address()).toBe('/bars/?ordering=name#top')
  expect(window.history.state).toEqual({ kept: true })
})

it('removes the stars from the address too', () => {
  arrive('/bars/the-loop/?post_authenticate_action=rating&object_id=5&rating=4')
  expect(address()).toBe('/bars/the-loop/')
})

it('leaves an address without an action unchanged', () => {
  arrive('/bars/?object_id=9')
  expect(address()).toBe('/bars/?object_id=9')
})

it('scrolls to the control that was used, even if it renders later', async () => {
  arrive('/bars/?post_authenticate_action=favourite&object_id=9')
  expect(scrolledTo).not.toHaveBeenCalled()
  document.body.innerHTML = '<i data-saves="favourite/8"></i><b data-saves="favourite/9"></b>'
  await vi.waitFor(() => expect(scrolledTo).toHaveBeenCalledOnce())
  expect(scrolledTo.mock.calls[0]?.[0].tagName).toBe('B')
})

it.each(['"]', '9"], b, [x="', '-1', ''])('ignores the object id %j', (id) => {
  document.body.innerHTML = '<b data-saves="favourite/9"></b>'
  arrive(`/?post_authenticate_action=favourite&object_id=${encodeURIComponent(id)}`)
  expect(address()).toBe('/')
  expect(scrolledTo).not.toHaveBeenCalled()
})
