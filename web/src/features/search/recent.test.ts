import { afterEach, expect, it } from 'vitest'
import { forgetSearches, recentSearches, rememberSearch } from './recent'

afterEach(forgetSearches)

it('remembers the last six searches, each once, the latest first', () => {
  for (const words of ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'c']) rememberSearch(words)
  expect(recentSearches()).toEqual(['c', 'g', 'f', 'e', 'd', 'b'])
  forgetSearches()
  expect(recentSearches()).toEqual([])
})

it('ignores invalid storage', () => {
  for (const text of ['{', '{"a": 1}', '[1, null, ""]']) {
    window.localStorage.setItem('search:recent', text)
    expect(recentSearches()).toEqual([])
  }
})
