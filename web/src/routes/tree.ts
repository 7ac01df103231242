import { createRootRoute, createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { HomePage } from './home'
import { NotFoundPage } from './not-found'
import { ErrorPage, Root } from './root'
import { FirstPage, ResolvedPage } from './resolved'
import { withSection } from './with-section'

const root = createRootRoute({
  component: Root,
  notFoundComponent: NotFoundPage,
  errorComponent: ErrorPage,
})
const parent = { getParentRoute: () => root }

export const routeTree = root.addChildren([
  createRoute({ ...parent, path: '/', component: HomePage }),
  createRoute({
    ...parent,
    path: '/places/',
    component: withSection(
      'listings',
      lazyRouteComponent(() => import('./places'), 'PlacesPage'),
    ),
  }),
  createRoute({
    ...parent,
    path: '/neighbourhoods/',
    component: withSection(
      'neighbourhoods',
      lazyRouteComponent(() => import('./neighbourhoods'), 'NeighbourhoodsPage'),
    ),
  }),
  createRoute({
    ...parent,
    path: '/archives/',
    component: withSection(
      'articles',
      lazyRouteComponent(() => import('./archives'), 'ArchivesPage'),
    ),
  }),
  createRoute({
    ...parent,
    path: '/events/',
    component: withSection(
      'events',
      lazyRouteComponent(() => import('./events'), 'EventsPage'),
    ),
  }),
  createRoute({
    ...parent,
    path: '/contests/',
    component: withSection(
      'contests',
      lazyRouteComponent(() => import('./contests'), 'ContestsPage'),
    ),
  }),
  createRoute({
    ...parent,
    path: '/videos/',
    component: withSection(
      'videos',
      lazyRouteComponent(() => import('./videos'), 'VideosPage'),
    ),
  }),
  createRoute({
    ...parent,
    path: '/contact/',
    component: lazyRouteComponent(() => import('./contact'), 'ContactPage'),
  }),
  createRoute({
    ...parent,
    path: '/accounts/login',
    component: lazyRouteComponent(() => import('./login'), 'LoginPage'),
  }),
  createRoute({
    ...parent,
    path: '/accounts/dashboard',
    component: lazyRouteComponent(() => import('./dashboard'), 'DashboardPage'),
  }),
  createRoute({
    ...parent,
    path: '/profiles/logout',
    component: lazyRouteComponent(() => import('./logout'), 'LogoutPage'),
  }),
  createRoute({ ...parent, path: '/$first/', component: FirstPage }),
  createRoute({ ...parent, path: '/$first/$second/', component: ResolvedPage }),
])
