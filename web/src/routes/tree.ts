import { createRootRoute, createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { online } from '#/lib/online'
import { NotFoundPage } from './not-found'
import { ErrorPage, Root } from './root'
import { goAhead } from './ahead'
import { FirstPage, ResolvedPage } from './resolved'
import { withSection } from './with-section'

const root = createRootRoute({
  component: Root,
  notFoundComponent: NotFoundPage,
  errorComponent: ErrorPage,
})
const parent = { getParentRoute: () => root }
// What an address with a query shows, the page itself knows.
const loader = ({ location }: { location: { pathname: string; searchStr: string } }) =>
  location.searchStr ? undefined : goAhead(location.pathname)

export const routeTree = root.addChildren([
  createRoute({
    ...parent,
    path: '/',
    component: lazyRouteComponent(
      online(() => import('./home')),
      'HomePage',
    ),
  }),
  createRoute({
    ...parent,
    path: '/places/',
    component: withSection(
      'listings',
      lazyRouteComponent(
        online(() => import('./places')),
        'PlacesPage',
      ),
    ),
  }),
  createRoute({
    ...parent,
    path: '/neighbourhoods/',
    component: withSection(
      'neighbourhoods',
      lazyRouteComponent(
        online(() => import('./neighbourhoods')),
        'NeighbourhoodsPage',
      ),
    ),
  }),
  createRoute({
    ...parent,
    path: '/archives/',
    component: withSection(
      'articles',
      lazyRouteComponent(
        online(() => import('./archives')),
        'ArchivesPage',
      ),
    ),
  }),
  createRoute({
    ...parent,
    path: '/events/',
    component: withSection(
      'events',
      lazyRouteComponent(
        online(() => import('./events')),
        'EventsPage',
      ),
    ),
  }),
  createRoute({
    ...parent,
    path: '/contests/',
    component: withSection(
      'contests',
      lazyRouteComponent(
        online(() => import('./contests')),
        'ContestsPage',
      ),
    ),
  }),
  createRoute({
    ...parent,
    path: '/videos/',
    component: withSection(
      'videos',
      lazyRouteComponent(
        online(() => import('./videos')),
        'VideosPage',
      ),
    ),
  }),
  createRoute({
    ...parent,
    path: '/contact/',
    component: lazyRouteComponent(
      online(() => import('./contact')),
      'ContactPage',
    ),
  }),
  createRoute({
    ...parent,
    path: '/search',
    component: lazyRouteComponent(
      online(() => import('./search')),
      'SearchPage',
    ),
  }),
  createRoute({
    ...parent,
    path: '/accounts/login',
    component: lazyRouteComponent(
      online(() => import('./login')),
      'LoginPage',
    ),
  }),
  createRoute({
    ...parent,
    path: '/accounts/dashboard',
    component: lazyRouteComponent(
      online(() => import('./dashboard')),
      'DashboardPage',
    ),
  }),
  createRoute({
    ...parent,
    path: '/profiles/logout',
    component: lazyRouteComponent(
      online(() => import('./logout')),
      'LogoutPage',
    ),
  }),
  createRoute({ ...parent, path: '/$first/', component: FirstPage, loader }),
  createRoute({ ...parent, path: '/$first/$second/', component: ResolvedPage, loader }),
])
