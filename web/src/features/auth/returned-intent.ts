/**
 * Removes the guest's action from the address after a sign-in: the server has already carried it out, and readers may
 * bookmark or share the address.
 */
export function removeIntentFromAddress(): void {
  const url = new URL(window.location.href)
  const action = url.searchParams.get('post_authenticate_action')
  const objectId = url.searchParams.get('object_id')
  if (action === null) return
  for (const name of ['post_authenticate_action', 'object_id', 'rating']) {
    url.searchParams.delete(name)
  }
  window.history.replaceState(window.history.state, '', url)
  if (objectId && /^\d+$/.test(objectId)) showControl(`${action}/${objectId}`)
}

/** Scrolls to the control that the guest used, once it is rendered. */
function showControl(saves: string): void {
  const find = (): boolean => {
    const controls = [...document.querySelectorAll<HTMLElement>('[data-saves]')]
    const control = controls.find(({ dataset }) => dataset.saves === saves)
    control?.scrollIntoView({ block: 'center' })
    return control !== undefined
  }
  if (find()) return
  const observer = new MutationObserver(() => {
    if (find()) observer.disconnect()
  })
  observer.observe(document.body, { childList: true, subtree: true })
  setTimeout(() => observer.disconnect(), 5000)
}
