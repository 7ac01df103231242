import { createRoute, lazyRouteComponent, type AsyncRouteComponent } from '@tanstack/react-router'
import { online } from '#/lib/online'
import { pagePath } from '#/lib/page-path'
import { goAhead } from './ahead'
import { fixedRoutes } from './fixed-routes'
import { requireReader, UPLOAD } from './guards'
import { parent, root } from './parent'
import { FirstPage, ResolvedPage } from './resolved'
import { placesSearch } from './search-params'

// At an address with a query the page fetches its data itself.
const loader = ({ location }: { location: { pathname: string; searchStr: string } }) =>
  location.searchStr ? undefined : goAhead(pagePath(location.pathname))

// Their types are spelled out: those of the modules depend on the tree.
const PhotoPage: AsyncRouteComponent<object> = lazyRouteComponent(
  online(() => import('./photo')),
  'PhotoPage',
)
const PhotoUploadPage: AsyncRouteComponent<object> = lazyRouteComponent(
  online(() => import('./photo-upload')),
  'PhotoUploadPage',
)

// A place's page stays as it is below the viewer of its photos, which is a part of it.
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
})
const upload = createRoute({
  ...parent,
  path: UPLOAD,
  beforeLoad: requireReader,
  component: PhotoUploadPage,
})

export const routeTree = root.addChildren([
  ...fixedRoutes,
  // The pages of objects have a grid's parameters where they show one.
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
