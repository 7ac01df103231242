import { render } from '@testing-library/react'
import { expect, it } from 'vitest'
import { Stars } from './Stars'

function rendered(rating: number, voters: number, isSmall = false): HTMLElement {
  return render(<Stars rating={rating} voters={voters} isSmall={isSmall} />).container
}

// The same means as in gateway/src/pages/content/stars.rs: both renderings must agree.
it.each([
  [4.25, '★★★★', true, '4.3'],
  [4.35, '★★★★', true, '4.4'],
  [4.2, '★★★★', false, '4.2'],
  [5, '★★★★★', false, '5.0'],
])('rounds a mean of %s', (mean, full, hasHalf, number) => {
  const stars = rendered(mean, 12)
  expect(stars).toHaveTextContent(`${full}★★★★★Rated ${number} of 5 (12 votes)`)
  expect(stars.querySelectorAll('.half')).toHaveLength(hasHalf ? 1 : 0)
})

it('says "votes" only to screen readers if it is small', () => {
  const small = rendered(1, 1200, true)
  expect(small).toHaveTextContent('Rated 1.0 of 5 (1,200 votes)')
  for (const hidden of small.querySelectorAll('.visually-hidden')) hidden.remove()
  expect(small).toHaveTextContent('1.0 (1,200)')
  expect(rendered(1, 1)).toHaveTextContent('Rated 1.0 of 5 (1 vote)')
})
