import type { AsyncRouteComponent } from '@tanstack/react-router'
import { useHasSection } from '#/features/site/site'
import { NotFoundPage } from './not-found'

type Page = AsyncRouteComponent<object>

/** A page of a section: where the section is switched off there is no such page. */
export function withSection(section: string, Page: Page): Page {
  function Guarded() {
    return useHasSection(section) ? <Page /> : <NotFoundPage />
  }
  return Object.assign(Guarded, Page.preload ? { preload: Page.preload } : {})
}
