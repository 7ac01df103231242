import { isReturn } from './page-load'

/** An unsuccessful answer; `status` 0 means no answer. */
export class ApiError extends Error {
  readonly status: number
  readonly body: Record<string, unknown>

  constructor(status: number, body: Record<string, unknown> = {}) {
    super(`The server answered ${status}`)
    this.name = 'ApiError'
    this.status = status
    this.body = body
  }

  /** The first message of a field, if the server sent one. */
  first(field: string): string | undefined {
    const value = this.body[field]
    if (typeof value === 'string') return value
    const [message] = Array.isArray(value) ? (value as unknown[]) : []
    return typeof message === 'string' ? message : undefined
  }
}

export function isStatus(error: unknown, status: number): boolean {
  return error instanceof ApiError && error.status === status
}

/** Ignores a 404: the object has already been removed. */
export async function unlessGone(remove: () => Promise<unknown>): Promise<void> {
  try {
    await remove()
  } catch (error) {
    if (!isStatus(error, 404)) throw error
  }
}

/** The error of an unsuccessful answer. */
export async function failure(response: Response): Promise<ApiError> {
  const body: unknown = await response.json().catch(() => null)
  const isObject = typeof body === 'object' && body !== null && !Array.isArray(body)
  return new ApiError(response.status, isObject ? (body as Record<string, unknown>) : {})
}

/** Whether the answers in the browser's cache may lack a change by the reader. */
let isCacheOutdated = isReturn

/** Call it before a change, so that older answers in the browser's cache are not used. */
export function outdateCache(): void {
  isCacheOutdated = true
}

let proofRequest = (): Promise<boolean> => Promise.resolve(false)

/** Sets the function that asks the reader to sign in again; it resolves to whether they have. */
export function setProofRequest(request: () => Promise<boolean>): void {
  proofRequest = request
}

export function requestProof(): Promise<boolean> {
  return proofRequest()
}

/** The body of a successful answer. Failures have already been thrown. */
export async function dataOf<T>(answer: Promise<{ data?: T; response: Response }>): Promise<T> {
  const { data, response } = await answer
  if (data === undefined) throw new ApiError(response.status)
  return data
}

let traceparent: string | undefined

/** Sets the trace that the following reads belong to (https://www.w3.org/TR/trace-context/). */
export function setTraceparent(value: string | undefined): void {
  traceparent = value
}

/** Fetches an address of this site, such as a page's `next`. */
export async function follow<T>(
  address: string,
  signal?: AbortSignal,
  headers: Record<string, string> = {},
): Promise<T> {
  const url = new URL(address, window.location.origin)
  if (url.origin !== window.location.origin) throw new ApiError(0)
  let response: Response
  try {
    response = await globalThis.fetch(url, {
      ...(signal && { signal }),
      cache: isCacheOutdated ? 'no-cache' : 'default',
      headers: { Accept: 'application/json', ...(traceparent && { traceparent }), ...headers },
    })
  } catch (error) {
    if (error instanceof Error && error.name === 'AbortError') throw error
    throw new ApiError(0)
  }
  if (!response.ok) throw await failure(response)
  return (await response.json()) as T
}

/** Retries while a server restarts, but never after a refusal. */
export function worthRetrying(count: number, error: unknown): boolean {
  if (!(error instanceof ApiError)) return false
  return count < 2 && (error.status === 0 || error.status === 502 || error.status === 503)
}
