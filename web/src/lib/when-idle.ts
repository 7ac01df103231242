/** Runs a task in idle time after the page has loaded. */
export function whenIdle(task: () => void): void {
  const wait = (): void => {
    // Safari has no idle callbacks.
    if ('requestIdleCallback' in window) window.requestIdleCallback(task)
    else setTimeout(task)
  }
  if (document.readyState === 'complete') wait()
  else window.addEventListener('load', wait, { once: true })
}
