import { afterEach, beforeEach, expect, it } from 'vitest'
import { replaceMarkup } from './replace-markup'

const WRITTEN =
  '<a href="/a">A</a><main tabindex="-1"><a href="/b">B</a><a href="/b">More</a></main>'
const RENDERED = '<button>Menu</button><a href="/a">A</a><a href="/b">B</a><a href="/b">More</a>'

let page: HTMLElement

beforeEach(() => {
  document.body.innerHTML = `<div id="page">${WRITTEN}</div><a href="/b">Outside</a>`
  page = document.getElementById('page') as HTMLElement
})

afterEach(() => {
  document.body.replaceChildren()
})

const focus = (text: string) =>
  [...document.querySelectorAll('a')].find((link) => link.textContent === text)?.focus()
const focused = () => document.activeElement?.textContent

it.each(['A', 'B', 'More'])('keeps the focus on the link %s', (text) => {
  focus(text)
  replaceMarkup(page, () => (page.innerHTML = RENDERED))
  expect(focused()).toBe(text)
  expect(page.contains(document.activeElement)).toBe(true)
})

it('focuses the first of the remaining links', () => {
  focus('More')
  replaceMarkup(page, () => (page.innerHTML = '<a href="/b">B</a>'))
  expect(focused()).toBe('B')
})

it('leaves the focus if it is outside the page, or nowhere', () => {
  focus('Outside')
  replaceMarkup(page, () => (page.innerHTML = RENDERED))
  expect(focused()).toBe('Outside')

  focus('A')
  ;(document.activeElement as HTMLElement).blur()
  replaceMarkup(page, () => (page.innerHTML = RENDERED))
  expect(document.activeElement).toBe(document.body)
})

it('removes the server’s title, so that it does not reappear between two pages', () => {
  document.title = 'Sent'
  replaceMarkup(page, () => (page.innerHTML = RENDERED))
  expect(document.title).toBe('')
})
