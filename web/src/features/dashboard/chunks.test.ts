import { expect, it } from 'vitest'
import { chunksOf } from './chunks'

const ids = (count: number): number[] => Array.from({ length: count }, (_, index) => index + 1)
const sizes = (count: number): number[] => chunksOf(ids(count)).map((chunk) => chunk.length)

it('asks for a hundred ids at a time, and for the last three hundred at most', () => {
  expect([0, 1, 100, 101, 300, 301, 5000].map(sizes)).toEqual([
    [],
    [1],
    [100],
    [100, 1],
    [100, 100, 100],
    [100, 100, 100],
    [100, 100, 100],
  ])
  expect(chunksOf(ids(301)).flat()).toEqual(ids(300))
})
