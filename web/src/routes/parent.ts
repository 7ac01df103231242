import { createRootRoute } from '@tanstack/react-router'
import { NotFoundPage } from './not-found'
import { ErrorPage, Root } from './root'

/** The route of the whole application. */
export const root = createRootRoute({
  component: Root,
  notFoundComponent: NotFoundPage,
  errorComponent: ErrorPage,
})

/** The options that all routes below it share. */
export const parent = { getParentRoute: () => root, notFoundComponent: NotFoundPage }
