import { render, screen } from '@testing-library/react'
import { expect, it } from 'vitest'
import type { Listing } from '#/api/types'
import { ArticleText } from './ArticleText'
import { sectionsOf } from './sections'

const CARD = (id: number) => `<aside data-place="${id}"></aside>\n`

function textOf(body: string, ids: readonly number[]) {
  const listings = ids.map((id) => ({ id, name: `Place ${id}` }) as Listing)
  const article = { body, listings }
  return render(<ArticleText article={article} card={(place) => <div>{place.name}</div>} />)
}

it('splits a text at the cards of its places', () => {
  expect(sectionsOf('<p>One</p>')).toEqual([{ html: '<p>One</p>', placeId: undefined }])
  expect(sectionsOf(`<p>One</p>\n${CARD(7)}${CARD(8)}<p>Two</p>\n`)).toEqual([
    { html: '<p>One</p>\n', placeId: 7 },
    { html: '', placeId: 8 },
    { html: '<p>Two</p>\n', placeId: undefined },
  ])
})

it('shows each card after the paragraph that names its place', () => {
  const { container } = textOf(`<p>One</p>\n${CARD(7)}${CARD(8)}<p>Two</p>\n${CARD(7)}`, [7, 8])
  const words = [...container.children].map((part) => part.textContent.trim())
  expect(words).toEqual(['One', 'Place 7', 'Place 8', 'Two', 'Place 7'])
})

it('shows the text without the card of an unknown place', () => {
  textOf(`<p>One</p>\n${CARD(9)}<p>Two</p>\n`, [])
  expect(screen.getByText('Two')).toBeDefined()
  expect(screen.queryByText(/Place/)).toBeNull()
})
