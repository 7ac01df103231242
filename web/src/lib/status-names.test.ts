import { expect, it } from 'vitest'
import { statusLine } from './status-names'

it.each([
  [100, '100 Continue'],
  [404, '404 Not Found'],
  [503, '503 Service Unavailable'],
  [511, '511 Network Authentication Required'],
  // No answer, and a status without a name.
  [0, ''],
  [599, ''],
])('names the status %i', (status, line) => {
  expect(statusLine(status)).toBe(line)
})
