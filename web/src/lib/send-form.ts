import { ApiError, outdateCache } from './http'

interface Options {
  headers?: Record<string, string>
  /** Receives the sent share, from 0 to 1. */
  onProgress?: (share: number) => void
  signal?: AbortSignal
}

/**
 * Posts a form with files. It uses XMLHttpRequest, since `fetch` does not report progress; failures
 * are `ApiError`s.
 */
export function sendForm<T>(path: string, form: FormData, options: Options = {}): Promise<T> {
  const { headers = {}, onProgress, signal } = options
  outdateCache()
  return new Promise<T>((resolve, reject) => {
    const request = new XMLHttpRequest()
    request.open('POST', path)
    request.setRequestHeader('Accept', 'application/json')
    for (const [name, value] of Object.entries(headers)) request.setRequestHeader(name, value)
    if (onProgress) {
      request.upload.addEventListener('progress', ({ loaded, total }) => {
        if (total > 0) onProgress(Math.min(1, loaded / total))
      })
    }
    request.addEventListener('load', () => {
      const body = parsed(request.responseText)
      if (request.status >= 200 && request.status < 300) resolve(body as T)
      else reject(new ApiError(request.status, body))
    })
    for (const failure of ['error', 'timeout'] as const) {
      request.addEventListener(failure, () => reject(new ApiError(0)))
    }
    request.addEventListener('abort', () => reject(new DOMException('Cancelled', 'AbortError')))
    signal?.addEventListener('abort', () => request.abort())
    request.send(form)
    if (signal?.aborted) request.abort()
  })
}

function parsed(text: string): Record<string, unknown> {
  try {
    const body: unknown = JSON.parse(text)
    return typeof body === 'object' && body !== null ? (body as Record<string, unknown>) : {}
  } catch {
    return {}
  }
}
