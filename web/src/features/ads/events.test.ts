import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { report } from './events'

interface Sent {
  events: { kind: string; token: string }[]
}

let requests: { body: Sent; request: Request }[] = []

beforeEach(() => {
  vi.useFakeTimers()
  requests = []
  vi.spyOn(globalThis, 'fetch').mockImplementation(async (input) => {
    const request = input as Request
    requests.push({ body: (await request.json()) as Sent, request })
    return Response.json({ results: [] })
  })
})
afterEach(() => {
  vi.useRealTimers()
})

const tokens = () => requests.map(({ body }) => body.events.map(({ token }) => token))

it('reports several events together, each once, and without a cookie', async () => {
  report('impression', 'a')
  report('viewable', 'a')
  report('impression', 'a')
  report('impression', 'b')
  expect(requests).toEqual([])
  await vi.advanceTimersByTimeAsync(1_000)
  expect(requests.map(({ body }) => body)).toEqual([
    {
      events: [
        { kind: 'impression', token: 'a' },
        { kind: 'viewable', token: 'a' },
        { kind: 'impression', token: 'b' },
      ],
    },
  ])
  expect(requests[0]?.request).toMatchObject({ credentials: 'omit', keepalive: true })
  report('impression', 'b')
  await vi.advanceTimersByTimeAsync(5_000)
  expect(requests).toHaveLength(1)
})

it('reports immediately when the page is hidden', async () => {
  report('impression', 'c')
  vi.spyOn(document, 'visibilityState', 'get').mockReturnValue('hidden')
  document.dispatchEvent(new Event('visibilitychange'))
  await vi.advanceTimersByTimeAsync(0)
  expect(tokens()).toEqual([['c']])
  await vi.advanceTimersByTimeAsync(5_000)
  expect(requests).toHaveLength(1)
})

it('sends at most 50 events in a request', async () => {
  for (let index = 0; index < 120; index += 1) report('viewable', `many ${index}`)
  await vi.advanceTimersByTimeAsync(1_000)
  expect(tokens().map((sent) => sent.length)).toEqual([50, 50, 20])
  expect(new Set(tokens().flat()).size).toBe(120)
})

it('reports unanswered events again, a limited number of times', async () => {
  const fetched = vi.mocked(globalThis.fetch)
  fetched.mockRejectedValueOnce(new TypeError('away'))
  fetched.mockResolvedValueOnce(Response.json({}, { status: 503 }))
  report('impression', 'kept')
  await vi.advanceTimersByTimeAsync(1_000)
  expect([fetched.mock.calls.length, tokens()]).toEqual([1, []])
  await vi.advanceTimersByTimeAsync(5_000)
  expect([fetched.mock.calls.length, tokens()]).toEqual([2, []])
  await vi.advanceTimersByTimeAsync(30_000)
  expect(tokens()).toEqual([['kept']])

  fetched.mockRejectedValue(new TypeError('blocked'))
  report('impression', 'blocked')
  await vi.advanceTimersByTimeAsync(600_000)
  expect(fetched.mock.calls).toHaveLength(3 + 3)
})

it('does not repeat refused events, and continues with the next', async () => {
  const fetched = vi.mocked(globalThis.fetch)
  fetched.mockResolvedValueOnce(Response.json({}, { status: 429 }))
  report('impression', 'refused')
  await vi.advanceTimersByTimeAsync(60_000)
  report('impression', 'next')
  await vi.advanceTimersByTimeAsync(60_000)
  expect(tokens()).toEqual([['next']])
})
