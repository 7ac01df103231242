import { act, screen } from '@testing-library/react'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { renderApp } from '../../../test/render-app'
import { savedMap } from './saved'
import { SaveButton } from './SaveButton'

const KEY = 'favourites:listingMap'
const map = savedMap('favourite')

function store(isOn: boolean): void {
  const records = isOn ? { 9: 50 } : {}
  const updated = '2026-11-20T18:00:00.000Z'
  window.localStorage.setItem(KEY, JSON.stringify({ updated, map: records }))
  map.load()
}

beforeEach(() => store(false))
afterEach(() => map.clear())

// If the name changed with the state, screen readers would say "not in your favourites".
it('as a round button keeps its name and changes its state', async () => {
  renderApp(<SaveButton kind="favourite" objectId={9} name="Wren & Fennel" />)
  const button = await screen.findByRole('button', { name: 'Favourite Wren & Fennel' })
  expect(button).toHaveAttribute('aria-pressed', 'false')
  act(() => store(true))
  expect(button).toHaveAccessibleName('Favourite Wren & Fennel')
  expect(button).toHaveAttribute('aria-pressed', 'true')
})

it('as a labelled button says its state by its name alone', async () => {
  renderApp(<SaveButton kind="favourite" objectId={9} name="Wren & Fennel" look="labelled" />)
  const button = await screen.findByRole('button', { name: 'Add to favourites' })
  expect(button).not.toHaveAttribute('aria-pressed')
  act(() => store(true))
  expect(button).toHaveAccessibleName('In your favourites')
  expect(button).not.toHaveAttribute('aria-pressed')
})
