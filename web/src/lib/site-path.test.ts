import { expect, it } from 'vitest'
import { sitePath } from './site-path'

it.each([
  '/',
  '/restaurants/pai/',
  '/places/?keywords=a%26b&type=bars',
  '/accounts/dashboard#/favourites/',
])('accepts %s', (path) => {
  expect(sitePath(path, '/fallback')).toBe(path)
})

it.each([
  null,
  undefined,
  '',
  '//e',
  '/\\e',
  'https:e',
  'https://e/',
  'javascript:alert(1)',
  '/%2fe',
  '/%252fe',
  '%2f%2fe',
  '/%5ce',
  '/\t/e',
  '/%0d%0ae',
  '/%',
])('rejects %s', (path) => {
  expect(sitePath(path, '/fallback')).toBe('/fallback')
})
