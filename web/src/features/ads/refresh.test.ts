import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { BID_WAIT, FORCED_AFTER, refreshAfterBids, type Auction } from './refresh'

const refresh = vi.fn<(bids: string | undefined) => void>()
let leaving = new AbortController()

beforeEach(() => {
  vi.useFakeTimers()
  refresh.mockReset()
  leaving = new AbortController()
})
afterEach(() => {
  vi.useRealTimers()
})

const after = (milliseconds: number) => new Promise<void>((done) => setTimeout(done, milliseconds))
const never = new Promise<never>(() => {})

function begin(auction: (() => Promise<Auction<string>>) | undefined): void {
  refreshAfterBids({ auction, refresh, signal: leaving.signal })
}

/** A network with delays in ms for its code and its bids. */
const slow = (loading: number, bidding: number) => async () => {
  await after(loading)
  return async () => {
    await after(bidding)
    return 'bids'
  }
}

it('requests ads immediately without bidders', () => {
  begin(undefined)
  expect(refresh.mock.calls).toEqual([[undefined]])
})

/**
 * When the request is sent and with which bids, by the time until the code is loaded and the time
 * until the bids arrive.
 */
it.each([
  [0, 20, 20, 'bids'],
  [0, 49, 49, 'bids'],
  [0, 51, 50, undefined],
  [0, 500, 50, undefined],
  [30, 30, 60, 'bids'],
  [30, 60, 80, undefined],
  [60, 30, 90, 'bids'],
  [60, 45, 100, undefined],
  [99, 5, 100, undefined],
  [150, 0, 100, undefined],
  [500, 500, 100, undefined],
])('sends one request: code after %i ms, bids after %i ms', async (loading, bidding, at, bids) => {
  begin(slow(loading, bidding))
  await vi.advanceTimersByTimeAsync(at - 1)
  expect(refresh).not.toHaveBeenCalled()
  await vi.advanceTimersByTimeAsync(1)
  expect(refresh.mock.calls).toEqual([[bids]])
  await vi.advanceTimersByTimeAsync(10_000)
  expect(refresh).toHaveBeenCalledTimes(1)
})

it.each<[string, () => Promise<Auction<string>>, number]>([
  ['the code never comes', () => never, FORCED_AFTER],
  ['the bids never come', async () => () => never, BID_WAIT],
  ['the code is blocked', async () => Promise.reject(new Error('blocked')), 0],
  [
    'the code throws at once',
    () => {
      throw new Error('broken')
    },
    0,
  ],
  ['the bids fail', async () => async () => Promise.reject(new Error('no bids')), 0],
  [
    'asking for bids throws',
    async () => () => {
      throw new Error('broken')
    },
    0,
  ],
])('sends one request without bids if %s', async (_, auction, at) => {
  begin(auction)
  if (at > 0) {
    await vi.advanceTimersByTimeAsync(at - 1)
    expect(refresh).not.toHaveBeenCalled()
  }
  await vi.advanceTimersByTimeAsync(1)
  expect(refresh.mock.calls).toEqual([[undefined]])
  await vi.advanceTimersByTimeAsync(10_000)
  expect(refresh).toHaveBeenCalledTimes(1)
})

it('requests no bids once the request has been sent', async () => {
  const bids = vi.fn<Auction<string>>(async () => 'bids')
  begin(async () => {
    await after(FORCED_AFTER + 1)
    return bids
  })
  await vi.advanceTimersByTimeAsync(10_000)
  expect(refresh).toHaveBeenCalledTimes(1)
  expect(bids).not.toHaveBeenCalled()
})

it.each([0, 10, 60, 99])('sends nothing once the page is left after %i ms', async (at) => {
  begin(slow(60, 500))
  await vi.advanceTimersByTimeAsync(at)
  leaving.abort()
  await vi.advanceTimersByTimeAsync(10_000)
  expect(refresh).not.toHaveBeenCalled()
})
