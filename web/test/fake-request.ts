import { act } from '@testing-library/react'
import { afterEach, beforeEach, vi } from 'vitest'

/** A stand-in for XMLHttpRequest: the test sets the progress and the answer. */
export class FakeRequest extends EventTarget {
  static readonly all: FakeRequest[] = []
  readonly upload = new EventTarget()
  readonly headers: Record<string, string> = {}
  path = ''
  form = new FormData()
  status = 0
  responseText = ''
  isAborted = false

  constructor() {
    super()
    FakeRequest.all.push(this)
  }

  open(_method: string, path: string): void {
    this.path = path
  }

  setRequestHeader(name: string, value: string): void {
    this.headers[name] = value
  }

  send(form: FormData): void {
    this.form = form
  }

  abort(): void {
    this.isAborted = true
    this.dispatchEvent(new Event('abort'))
  }

  progress(loaded: number, total: number): void {
    act(() => {
      this.upload.dispatchEvent(new ProgressEvent('progress', { loaded, total }))
    })
  }

  async answer(status: number, body: unknown): Promise<void> {
    this.status = status
    this.responseText = JSON.stringify(body)
    await act(async () => void this.dispatchEvent(new Event('load')))
  }

  /** Cuts the connection. */
  async cut(): Promise<void> {
    await act(async () => void this.dispatchEvent(new Event('error')))
  }
}

/** Replaces XMLHttpRequest in every test of the file. */
export function withFakeRequests(): void {
  beforeEach(() => {
    FakeRequest.all.length = 0
    vi.stubGlobal('XMLHttpRequest', FakeRequest)
  })
  afterEach(() => vi.unstubAllGlobals())
}

/** A request by its index; fails if it is missing. */
export function requestAt(index: number): FakeRequest {
  const found = FakeRequest.all[index]
  if (!found) throw new Error(`No request ${index}`)
  return found
}
