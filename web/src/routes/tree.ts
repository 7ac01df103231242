import { createRoute, lazyRouteComponent, type AsyncRouteComponent } from '@tanstack/react-router'
import { online } from '#/lib/online'
import { pagePath } from '#/lib/page-path'
import { prefetchPage } from './prefetch'
import { fixedRoutes } from './fixed-routes'
import { requireUploader, UPLOAD } from './guards'
import { parent, root } from './parent'
import { FirstPage, ResolvedPage } from './resolved'
import { placesSearch } from './search-params'

// A page with a query in its address fetches its data itself.
const loader = ({ location }: { location: { pathname: string; searchStr: string } }) =>
  location.searchStr ? undefined : prefetchPage(pagePath(location.pathname))

// These types are explicit, since the types of the modules depend on the tree.
const PhotoPage: AsyncRouteComponent<object> = lazyRouteComponent(
  online(() => import('./photo')),
  'PhotoPage',
)
const PhotoUploadPage: AsyncRouteComponent<object> = lazyRouteComponent(
  online(() => import('./photo-upload')),
  'PhotoUploadPage',
)

// The viewer of photos is part of a place's page, which stays unchanged below it.
const second = createRoute({
  ...parent,
  path: '/$first/$second',
  validateSearch: placesSearch,
  component: ResolvedPage,
  loader,
})
const page = createRoute({ getParentRoute: () => second, path: '/' })
const photo = createRoute({
  getParentRoute: () => second,
  path: 'photos/$photo',
  component: PhotoPage,
  // The place's page stays until the viewer covers it.
  pendingMs: Infinity,
})
const upload = createRoute({
  ...parent,
  path: UPLOAD,
  beforeLoad: requireUploader,
  component: PhotoUploadPage,
})

export const routeTree = root.addChildren([
  ...fixedRoutes,
  // The pages of objects may contain a grid, whose parameters are in the address.
  createRoute({
    ...parent,
    path: '/$first/',
    validateSearch: placesSearch,
    component: FirstPage,
    loader,
  }),
  second.addChildren([page, photo]),
  upload,
])
