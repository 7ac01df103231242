/**
 * Idempotency keys: a form that is sent again unchanged keeps its key, so that the server counts it
 * once. A changed form gets another key, since the API refuses other content with a known key.
 */
export function formKeys(): (body: unknown) => string {
  let last = { content: '', key: '' }
  return (body) => {
    const content = JSON.stringify(body)
    if (content !== last.content) last = { content, key: randomKey() }
    return last.key
  }
}

/** Browsers generate UUIDs only on secure sites, but random bytes everywhere. */
function randomKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16))
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')
}
