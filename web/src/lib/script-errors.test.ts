import { expect, it } from 'vitest'
import { noteError, onScriptError } from './script-errors'

it('keeps the first ten errors until they are reported', () => {
  for (let line = 0; line < 20; line += 1) noteError({ error: null, line })
  const seen: unknown[] = []
  onScriptError(({ line }) => seen.push(line))
  expect(seen).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9])
  noteError({ error: null, line: 20 })
  expect(seen.at(-1)).toBe(20)
})
