import { createRootRoute } from '@tanstack/react-router'
import { NotFoundPage } from './not-found'
import { ErrorPage, Root } from './root'

/** The root route of the application. */
export const root = createRootRoute({
  component: Root,
  notFoundComponent: NotFoundPage,
  errorComponent: ErrorPage,
})

/** The shared options of all routes below the root. */
export const parent = { getParentRoute: () => root, notFoundComponent: NotFoundPage }
