/**
 * After a sign-in the address names the guest's action, which the server has already carried out.
 * It is removed, so that readers do not bookmark or share it.
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
