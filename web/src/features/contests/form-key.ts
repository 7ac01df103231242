/**
 * Idempotency keys: a form that is sent again as it was filled keeps its key, so that the server
 * counts it once; filled otherwise it gets another.
 */
export function formKeys(): (body: unknown) => string {
  let last = { filled: '', key: '' }
  return (body) => {
    const filled = JSON.stringify(body)
    if (filled !== last.filled) last = { filled, key: crypto.randomUUID() }
    return last.key
  }
}
