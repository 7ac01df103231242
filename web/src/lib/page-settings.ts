/** JSON that the server has written into the page; undefined if it is missing or invalid. */
export function pageJson(id: string): unknown {
  const text = document.getElementById(id)?.textContent
  if (!text) return undefined
  try {
    return JSON.parse(text) as unknown
  } catch {
    return undefined
  }
}
