import { fireEvent, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeEach, expect, it, vi } from 'vitest'
import { renderApp } from '../../test/render-app'
import { StarPicker } from './StarPicker'

const onPick = vi.fn<(stars: number) => void>()

beforeEach(() => onPick.mockClear())

async function show(value: number | null): Promise<HTMLElement[]> {
  renderApp(<StarPicker label="Your rating" value={value} onPick={onPick} />)
  await screen.findByRole('radiogroup', { name: 'Your rating' })
  return screen.getAllByRole('radio')
}

/** The number of highlighted stars. */
function lit(stars: readonly HTMLElement[]): number {
  const on = stars.map((star) => star.hasAttribute('data-on'))
  expect(on).toEqual(on.toSorted((left, right) => Number(right) - Number(left)))
  return on.filter(Boolean).length
}

const names = ['1 star', '2 stars', '3 stars', '4 stars', '5 stars']

it('names its stars, and marks the chosen one', async () => {
  const stars = await show(3)
  expect(stars.map((star) => star.getAttribute('aria-label'))).toEqual(names)
  expect(lit(stars)).toBe(3)
  expect(screen.getAllByRole('radio', { checked: true })).toEqual([stars[2]])
})

it.each([
  [null, '1 star'],
  [4, '4 stars'],
])('has one tab stop, with %s chosen at %s', async (value, name) => {
  const stars = await show(value)
  expect(stars.filter((star) => star.tabIndex === 0)).toHaveLength(1)
  await userEvent.tab()
  expect(document.activeElement).toHaveAccessibleName(name)
})

it('highlights up to the star under the mouse, and the chosen ones when the mouse leaves', async () => {
  const stars = await show(2)
  await userEvent.hover(stars[3] as HTMLElement)
  expect(lit(stars)).toBe(4)
  await userEvent.unhover(stars[3] as HTMLElement)
  fireEvent.pointerLeave(screen.getByRole('radiogroup'))
  expect(lit(stars)).toBe(2)
  expect(onPick).not.toHaveBeenCalled()
})

it('is not highlighted by a touch without a tap', async () => {
  const stars = await show(null)
  fireEvent.pointerEnter(stars[3] as HTMLElement, { pointerType: 'touch' })
  expect(lit(stars)).toBe(0)
})

it('reports each star from 1 to 5', async () => {
  const stars = await show(null)
  for (const star of stars) await userEvent.click(star)
  expect(onPick.mock.calls).toEqual([[1], [2], [3], [4], [5]])
})

it.each([
  ['{ArrowRight}{ArrowRight}', 4],
  ['{ArrowUp}', 1],
  ['{ArrowLeft}{ArrowLeft}', 5],
  ['{ArrowDown}', 3],
  ['{End}', 5],
  ['{Home}', 1],
])('previews with %s, and chooses nothing', async (keys, expected) => {
  const stars = await show(2)
  await userEvent.tab()
  await userEvent.keyboard(keys)
  expect(lit(stars)).toBe(expected)
  expect(stars[expected - 1]).toHaveFocus()
  expect(stars[1]).toBeChecked()
  expect(onPick).not.toHaveBeenCalled()
})

it.each(['{Enter}', ' '])('chooses the previewed star with the key "%s"', async (key) => {
  await show(2)
  await userEvent.tab()
  await userEvent.keyboard(`{ArrowRight}${key}`)
  expect(onPick).toHaveBeenCalledExactlyOnceWith(3)
})

it.each([
  ['Escape is pressed', () => userEvent.keyboard('{Escape}')],
  ['the focus goes elsewhere', () => userEvent.tab()],
])('shows what was chosen when %s', async (_, leave) => {
  const stars = await show(2)
  await userEvent.tab()
  await userEvent.keyboard('{ArrowRight}')
  await leave()
  expect(lit(stars)).toBe(2)
})
