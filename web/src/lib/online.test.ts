import { onlineManager } from '@tanstack/react-query'
import { afterEach, expect, it, vi } from 'vitest'
import { turns } from '../../test/deferred'
import { online } from './online'

afterEach(() => onlineManager.setOnline(true))

it('loads at once with a network', async () => {
  await expect(online(() => Promise.resolve('page'))()).resolves.toBe('page')
})

it('waits without one, and asks once when it is back', async () => {
  onlineManager.setOnline(false)
  const load = vi.fn(() => Promise.resolve('page'))
  const loading = online(load)()
  await turns()
  expect(load).not.toHaveBeenCalled()
  onlineManager.setOnline(true)
  await expect(loading).resolves.toBe('page')
  onlineManager.setOnline(false)
  onlineManager.setOnline(true)
  expect(load).toHaveBeenCalledTimes(1)
})

it('needs no network for a loaded chunk, and loads a failed one again', async () => {
  const load = vi.fn<() => Promise<string>>(() => Promise.reject(new Error('gone')))
  const piece = online(load)
  await expect(piece()).rejects.toThrow('gone')
  load.mockResolvedValue('page')
  await expect(piece()).resolves.toBe('page')
  onlineManager.setOnline(false)
  await expect(piece()).resolves.toBe('page')
  expect(load).toHaveBeenCalledTimes(2)
})
