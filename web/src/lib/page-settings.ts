/** The JSON that the server puts into the page, or nothing if it did not or it is broken. */
export function pageJson(id: string): unknown {
  const text = document.getElementById(id)?.textContent
  if (!text) return undefined
  try {
    return JSON.parse(text) as unknown
  } catch {
    return undefined
  }
}
