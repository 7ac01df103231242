import { expect, test } from 'vitest'
import { srcsetOf } from './picture-sizes'

const FOLDER = '/media/pictures/0123456789abcdef0123456789abcdef'

test('a picture with sizes has all of them', () => {
  expect(srcsetOf(`${FOLDER}/whole`)).toBe(
    `${FOLDER}/300x200 300w, ${FOLDER}/600x400 600w, ${FOLDER}/720x480 720w, ${FOLDER}/whole 1600w`,
  )
})

test.each([
  '/media/0123456789abcdef0123456789abcdef.svg',
  `https://elsewhere.example${FOLDER}/whole`,
  `${FOLDER}/720x480`,
])('%s has no sizes', (address) => {
  expect(srcsetOf(address)).toBeUndefined()
})
