import { expect, it } from 'vitest'
import { pagePath } from './page-path'

it.each([
  ['/restaurants/pai/photos/12', '/restaurants/pai/'],
  ['/restaurants/pai/photos/12/', '/restaurants/pai/'],
  ['/restaurants/pai/photos/upload/', '/restaurants/pai/photos/upload/'],
  ['/restaurants/pai/', '/restaurants/pai/'],
  ['/restaurants/photos/', '/restaurants/photos/'],
  ['/', '/'],
])('of %s is %s', (address, path) => {
  expect(pagePath(address)).toBe(path)
})
