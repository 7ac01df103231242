import { expect, it, vi } from 'vitest'
import { localStore, readJson } from './storage'

it('stores and reads values', () => {
  localStore.set('a', '{"b":1}')
  expect(readJson(localStore, 'a')).toEqual({ b: 1 })
  localStore.remove('a')
  expect(localStore.get('a')).toBeNull()
})

it('returns nothing and does not throw if storage is forbidden', () => {
  vi.spyOn(window, 'localStorage', 'get').mockImplementation(() => {
    throw new DOMException('denied', 'SecurityError')
  })
  expect(() => localStore.set('a', '1')).not.toThrow()
  expect(localStore.get('a')).toBeNull()
  expect(() => localStore.remove('a')).not.toThrow()
})

it('continues when the storage is full', () => {
  vi.spyOn(Storage.prototype, 'setItem').mockImplementation(() => {
    throw new DOMException('full', 'QuotaExceededError')
  })
  expect(() => localStore.set('a', '1')).not.toThrow()
})

it('ignores invalid JSON', () => {
  localStore.set('a', '{')
  expect(readJson(localStore, 'a')).toBeUndefined()
})
