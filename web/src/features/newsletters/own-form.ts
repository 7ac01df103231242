import { useLayoutEffect, useSyncExternalStore } from 'react'
import { Emitter } from '#/lib/emitter'

/** The number of newsletter forms on the page. */
const forms = new Emitter(0)

/**
 * Registers the page's own newsletter form, which replaces the footer's: an empty form below a sent one would look like
 * a failure. `gateway/src/pages/kinds.rs` lists the same pages.
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
