import { expect, it, vi } from 'vitest'
import { loadOnce } from './load-once'

it('loads once for all callers', async () => {
  const load = vi.fn(async (name: string) => `code of ${name}`)
  const loaded = loadOnce(load)
  expect(await Promise.all([loaded('a network'), loaded('a network')])).toEqual([
    'code of a network',
    'code of a network',
  ])
  expect(await loaded('a network')).toBe('code of a network')
  expect(load).toHaveBeenCalledTimes(1)
})

it('needs no task for a loaded value', async () => {
  const loaded = loadOnce(() => new Promise<string>((done) => setTimeout(() => done('code'), 1)))
  await loaded()
  const order: string[] = []
  const task = new Promise<void>((done) =>
    setTimeout(() => {
      order.push('a task')
      done()
    }, 0),
  )
  void loaded().then((code) => order.push(code))
  await task
  expect(order).toEqual(['code', 'a task'])
})

it('retries after a failure', async () => {
  const load = vi.fn(async () => 'code').mockRejectedValueOnce(new Error('no connection'))
  const loaded = loadOnce(load)
  await expect(loaded()).rejects.toThrow('no connection')
  expect(await loaded()).toBe('code')
})
