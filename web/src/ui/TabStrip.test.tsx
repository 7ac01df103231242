import { fireEvent, screen } from '@testing-library/react'
import { beforeEach, expect, it, vi } from 'vitest'
import { renderApp } from '../../test/render-app'
import { TabStrip } from './TabStrip'

const TABS = ['All', 'Best of', 'Articles', 'Places', 'Events', 'Videos'].map((label) => ({
  label,
  href: `/search?category=${label}`,
}))

/** Each link is 100 px wide, the strip shows 300 px of them. */
beforeEach(() => {
  const give = (property: 'offsetLeft' | 'offsetWidth', get: (this: HTMLElement) => number) =>
    vi.spyOn(HTMLElement.prototype, property, 'get').mockImplementation(get)
  give('offsetLeft', function () {
    return TABS.findIndex(({ label }) => label === this.textContent) * 100
  })
  give('offsetWidth', () => 100)
  vi.spyOn(Element.prototype, 'clientWidth', 'get').mockReturnValue(300)
  vi.spyOn(Element.prototype, 'scrollWidth', 'get').mockReturnValue(TABS.length * 100)
})

const shown = async (label: string): Promise<HTMLElement> => {
  const current = `/search?category=${label}`
  renderApp(<TabStrip label="Kinds" tabs={TABS} current={current} />)
  expect(await screen.findByRole('link', { current: 'page' })).toHaveTextContent(label)
  return screen.getByRole('list')
}

/** Scrolls the strip; jsdom accepts every position. */
function scroll(strip: HTMLElement, left: number): void {
  strip.scrollLeft = left
  fireEvent.scroll(strip)
}

it('scrolls to the current link', async () => {
  expect((await shown('Events')).scrollLeft).toBe(300)
})

it('marks the sides on which links are hidden', async () => {
  const strip = await shown('Places')
  const sides = () => [strip.hasAttribute('data-before'), strip.hasAttribute('data-after')]
  expect(sides()).toEqual([true, true])
  scroll(strip, 0)
  expect(sides()).toEqual([false, true])
  scroll(strip, 300)
  expect(sides()).toEqual([true, false])
  scroll(strip, 299.5)
  expect(sides()).toEqual([true, false])
})
