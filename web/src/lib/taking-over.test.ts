import { afterEach, beforeEach, expect, it } from 'vitest'
import { takeOver } from './taking-over'

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
  takeOver(page, () => (page.innerHTML = RENDERED))
  expect(focused()).toBe(text)
  expect(page.contains(document.activeElement)).toBe(true)
})

it('takes the first of the links that are left', () => {
  focus('More')
  takeOver(page, () => (page.innerHTML = '<a href="/b">B</a>'))
  expect(focused()).toBe('B')
})

it('leaves the focus where it is outside the page, or nowhere', () => {
  focus('Outside')
  takeOver(page, () => (page.innerHTML = RENDERED))
  expect(focused()).toBe('Outside')

  focus('A')
  ;(document.activeElement as HTMLElement).blur()
  takeOver(page, () => (page.innerHTML = RENDERED))
  expect(document.activeElement).toBe(document.body)
})

it('takes the server’s title away, so that it does not show up between two pages', () => {
  document.title = 'Sent'
  takeOver(page, () => (page.innerHTML = RENDERED))
  expect(document.title).toBe('')
})
