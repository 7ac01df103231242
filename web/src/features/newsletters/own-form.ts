import { useLayoutEffect, useSyncExternalStore } from 'react'
import { Emitter } from '#/lib/emitter'

/** How many forms for newsletters the page has. */
const forms = new Emitter(0)

/**
 * Says that the page has its own form for newsletters, which takes the place of the footer's: an empty form below one
 * that was sent would look like a failure. `gateway/src/pages/kinds.rs` names the same pages.
 */
export function useOwnForm(hasForm: boolean): void {
  useLayoutEffect(() => {
    if (!hasForm) return
    forms.set(forms.get() + 1)
    return () => forms.set(forms.get() - 1)
  }, [hasForm])
}

/** Whether the page has its own form. */
export function useHasOwnForm(): boolean {
  return useSyncExternalStore(forms.subscribe, forms.get) > 0
}
