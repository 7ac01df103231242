import { onlineManager } from '@tanstack/react-query'
import { afterEach, expect, it, vi } from 'vitest'
import { deferred, flushTasks } from '../../test/deferred'
import { online } from './online'

afterEach(() => {
  onlineManager.setOnline(true)
  vi.useRealTimers()
})

it('loads immediately while online', async () => {
  await expect(online(() => Promise.resolve('page'))()).resolves.toBe('page')
})

it('waits while offline, and then loads once', async () => {
  onlineManager.setOnline(false)
  const load = vi.fn(() => Promise.resolve('page'))
  const loading = online(load)()
  await flushTasks()
  expect(load).not.toHaveBeenCalled()
  onlineManager.setOnline(true)
  await expect(loading).resolves.toBe('page')
  onlineManager.setOnline(false)
  onlineManager.setOnline(true)
  expect(load).toHaveBeenCalledTimes(1)
})

it('reloads a chunk that failed when the network was lost', async () => {
  const first = deferred<string>()
  const load = vi.fn<() => Promise<string>>(() => first.promise)
  const loading = online(load)()
  onlineManager.setOnline(false)
  first.reject(new Error('no network'))
  await flushTasks()
  expect(load).toHaveBeenCalledTimes(1)
  load.mockResolvedValue('page')
  onlineManager.setOnline(true)
  await expect(loading).resolves.toBe('page')
})

it('reloads a chunk after a second if the server did not answer', async () => {
  vi.useFakeTimers()
  const load = vi.fn<() => Promise<string>>(() => Promise.reject(new Error('gone')))
  const loading = online(load)()
  await vi.advanceTimersByTimeAsync(999)
  expect(load).toHaveBeenCalledTimes(1)
  load.mockResolvedValue('page')
  await vi.advanceTimersByTimeAsync(1)
  await expect(loading).resolves.toBe('page')
})

it('needs no network for a loaded chunk, and loads one again that failed twice', async () => {
  vi.useFakeTimers()
  const load = vi.fn<() => Promise<string>>(() => Promise.reject(new Error('gone')))
  const piece = online(load)
  const failing = expect(piece()).rejects.toThrow('gone')
  await vi.advanceTimersByTimeAsync(1000)
  await failing
  load.mockResolvedValue('page')
  await expect(piece()).resolves.toBe('page')
  onlineManager.setOnline(false)
  await expect(piece()).resolves.toBe('page')
  expect(load).toHaveBeenCalledTimes(3)
})
