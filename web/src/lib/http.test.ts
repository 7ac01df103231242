import { beforeEach, expect, it, vi } from 'vitest'

const fetched: RequestCache[] = []

/** The modules, loaded in a page with this type of navigation. */
async function loaded(type: NavigationTimingType) {
  vi.resetModules()
  vi.spyOn(performance, 'getEntriesByType').mockReturnValue([
    { type } as PerformanceNavigationTiming,
  ])
  const modules = [import('./http'), import('./api'), import('./first-answers')] as const
  const [http, api, answers] = await Promise.all(modules)
  return { ...http, ...api, ...answers }
}

beforeEach(() => {
  fetched.length = 0
  vi.spyOn(globalThis, 'fetch').mockImplementation(async (input, init) => {
    fetched.push(new Request(input, init).cache)
    return Response.json({})
  })
})

const { signal } = new AbortController()

it('revalidates answers in the browser’s cache after a change', async () => {
  const { api, follow } = await loaded('navigate')
  await follow('/api/v2/listings/9/', signal)
  await api.POST('/api/v2/favourites/', { body: { listing: 9 } })
  await follow('/api/v2/listings/9/', signal)
  expect(fetched).toEqual(['default', 'default', 'no-cache'])
})

it('treats the answers of a page as outdated if Back or Forward loaded it', async () => {
  const { follow, loadedAt } = await loaded('back_forward')
  await follow('/api/v2/listings/9/', signal)
  expect(fetched).toEqual(['no-cache'])
  expect(loadedAt).toBe(0)
})
