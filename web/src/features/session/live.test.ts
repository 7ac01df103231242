import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { Hi } from '#/api/types'
import { followLive } from './live'

const AT = '2026-11-20T18:00:00.000Z'
const hi = (id: number): Hi => ({ id, last_updates: { favourites: AT }, server_time: AT })

class FakeStream extends EventTarget {
  static readonly CLOSED = 2
  static all: FakeStream[] = []
  readyState = 1
  onerror: (() => void) | null = null
  close = vi.fn(() => (this.readyState = FakeStream.CLOSED))

  constructor() {
    super()
    FakeStream.all.push(this)
  }

  say(data: string): void {
    this.dispatchEvent(new MessageEvent('last_updates', { data }))
  }

  refuse(): void {
    this.readyState = FakeStream.CLOSED
    this.onerror?.()
  }
}

/** The channel to the other tabs of this browser. */
class FakeChannel extends EventTarget {
  static open = new Set<FakeChannel>()
  static sent: unknown[] = []

  constructor() {
    super()
    FakeChannel.open.add(this)
  }

  postMessage(data: unknown): void {
    FakeChannel.sent.push(data)
  }

  static hear(data: unknown): void {
    for (const channel of FakeChannel.open) {
      channel.dispatchEvent(new MessageEvent('message', { data }))
    }
  }
}

let stop: (() => void) | undefined

function follow() {
  const ports = { id: 7, onUpdates: vi.fn(), onRefused: vi.fn() }
  stop = followLive(ports)
  const [stream] = FakeStream.all
  if (!stream) throw new Error('No stream was opened')
  return { ...ports, stream }
}

beforeEach(() => {
  vi.useFakeTimers()
  FakeStream.all = []
  FakeChannel.open.clear()
  FakeChannel.sent = []
  vi.stubGlobal('EventSource', FakeStream)
  vi.stubGlobal('BroadcastChannel', FakeChannel)
})

afterEach(() => {
  stop?.()
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

describe('the stream', () => {
  it('passes on this reader’s updates, here and to the other tabs', () => {
    const { stream, onUpdates } = follow()
    stream.say(JSON.stringify(hi(7)))
    expect(onUpdates).toHaveBeenCalledExactlyOnceWith(hi(7))
    expect(FakeChannel.sent).toEqual([hi(7)])
  })

  it('ignores updates of another reader', () => {
    const { stream, onUpdates } = follow()
    stream.say(JSON.stringify(hi(8)))
    FakeChannel.hear(hi(8))
    expect(onUpdates).not.toHaveBeenCalled()
  })

  it.each(['', '{', 'null', '{"id":7}', '{"id":"7","last_updates":{}}'])('ignores %j', (text) => {
    const { stream, onUpdates } = follow()
    stream.say(text)
    expect(onUpdates).not.toHaveBeenCalled()
  })

  it('receives updates from the tab with the stream, until it stops', () => {
    const { onUpdates, stream } = follow()
    FakeChannel.hear(hi(7))
    expect(onUpdates).toHaveBeenCalledExactlyOnceWith(hi(7))
    stop?.()
    FakeChannel.hear(hi(7))
    stream.say(JSON.stringify(hi(7)))
    expect(onUpdates).toHaveBeenCalledOnce()
    expect(stream.close).toHaveBeenCalledOnce()
  })

  it('reports a refusal, and reopens after a pause', () => {
    vi.spyOn(Math, 'random').mockReturnValue(0.5)
    const { onRefused, stream } = follow()
    stream.refuse()
    expect(onRefused).toHaveBeenCalledOnce()
    vi.advanceTimersByTime(1999)
    expect(FakeStream.all).toHaveLength(1)
    vi.advanceTimersByTime(1)
    expect(FakeStream.all).toHaveLength(2)
  })
})
