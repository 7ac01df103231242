/**
 * After a sign-in the address says what the guest had wanted, which the server has done already.
 * It is taken out, so that nobody keeps or sends it on; it writes nothing by itself.
 */
export function takeIntentOutOfAddress(): void {
  const url = new URL(window.location.href)
  const objectId = url.searchParams.get('object_id')
  if (!url.searchParams.has('post_authenticate_action')) return
  url.searchParams.delete('post_authenticate_action')
  url.searchParams.delete('object_id')
  window.history.replaceState(window.history.state, '', url)
  if (objectId && /^\d+$/.test(objectId)) showHeart(objectId)
}

/** Brings the control that the guest had used back into view, once the page has drawn it. */
function showHeart(objectId: string): void {
  const find = (): boolean => {
    const heart = document.querySelector(`[data-heart="${objectId}"]`)
    heart?.scrollIntoView({ block: 'center' })
    return heart !== null
  }
  if (find()) return
  const observer = new MutationObserver(() => {
    if (find()) observer.disconnect()
  })
  observer.observe(document.body, { childList: true, subtree: true })
  setTimeout(() => observer.disconnect(), 5000)
}
