import { describe, expect, it } from 'vitest'
import { itemsOf, nextAddress, withoutItem, type Page } from './paging'

interface Item {
  id: number
}

function page(ids: number[], count: number, next: string | null): Page<Item> {
  return { results: ids.map((id) => ({ id })), count, next }
}

const NEXT = '/api/v2/favourites/?ordering=name&offset=3&after=abc'

describe('the next page', () => {
  it.each([
    ['there is a next and more than is loaded', page([1, 2, 3], 4, NEXT), NEXT],
    ['the count is unknown', page([1, 2, 3], -1, NEXT), NEXT],
    ['all is loaded', page([1, 2, 3], 3, NEXT), undefined],
    ['there is no next', page([1, 2, 3], 9, null), undefined],
    ['the count is unknown and there is no next', page([1, 2, 3], -1, null), undefined],
  ])('when %s', (_, only, expected) => {
    expect(nextAddress([only])).toBe(expected)
  })

  it('is followed as given, from the last page', () => {
    expect(nextAddress([page([1], 9, '/one'), page([2], 9, '/two?after=x%2Fy')])).toBe(
      '/two?after=x%2Fy',
    )
  })

  it('is absent before the first', () => {
    expect(nextAddress([])).toBeUndefined()
  })
})

it('shows each item once', () => {
  const pages = [page([1, 2, 3], 5, NEXT), page([3, 4], 5, null)]
  expect(itemsOf(pages).map((item) => item.id)).toEqual([1, 2, 3, 4])
})

describe('removing an item', () => {
  it('continues after the remaining items, without the cursor', () => {
    const [first, last] = withoutItem([page([1, 2], 9, '/one'), page([3, 4], 9, NEXT)], 2)
    expect(first?.results).toEqual([{ id: 1 }])
    expect([first?.count, last?.count]).toEqual([8, 8])
    expect(last?.next).toBe('/api/v2/favourites/?ordering=name&offset=3')
  })

  it('starts at the beginning when no items remain', () => {
    const [only] = withoutItem([page([1], 2, NEXT)], 1)
    expect(only?.next).toBe('/api/v2/favourites/?ordering=name&offset=0')
    expect(nextAddress(only ? [only] : [])).toBe(only?.next)
  })

  it('keeps an unknown count unknown, and a last page last', () => {
    expect(withoutItem([page([1, 2], -1, null)], 1)).toEqual([page([2], -1, null)])
  })

  it('changes nothing for an unknown item', () => {
    const pages = [page([1, 2], 9, NEXT)]
    expect(withoutItem(pages, 7)).toEqual(pages)
  })
})
