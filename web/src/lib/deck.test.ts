import { expect, test } from 'vitest'
import { deckOf } from './deck'

test.each([
  ['It is quiet.', '<p>Another text.</p>', 'It is quiet.'],
  ['It’s “quiet” & new…', '<p>It\'s <em>"quiet"</em> &amp; newer.</p>', ''],
  ['It is quiet.', null, 'It is quiet.'],
  ['', '<p>Text</p>', ''],
  ['…', '<p>Text</p>', '…'],
])('an excerpt %j of the text %j has the deck %j', (excerpt, body, deck) => {
  expect(deckOf(excerpt, body)).toBe(deck)
})
