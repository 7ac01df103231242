import { createRootRoute, createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { online } from '#/lib/online'
import { NotFoundPage } from './not-found'
import { ErrorPage, Root } from './root'
import { nextAddress, searchWords } from './search-params'
import { goAhead } from './ahead'
import { FirstPage, ResolvedPage } from './resolved'
import { openLoginHere, requireGuest, requireReader, requireSection } from './guards'

const root = createRootRoute({
  component: Root,
  notFoundComponent: NotFoundPage,
  errorComponent: ErrorPage,
})
const parent = { getParentRoute: () => root, notFoundComponent: NotFoundPage }
// The page itself fetches what an address with a query shows.
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
    beforeLoad: requireSection('listings'),
    component: lazyRouteComponent(
      online(() => import('./places')),
      'PlacesPage',
    ),
  }),
  createRoute({
    ...parent,
    path: '/neighbourhoods/',
    beforeLoad: requireSection('neighbourhoods'),
    component: lazyRouteComponent(
      online(() => import('./neighbourhoods')),
      'NeighbourhoodsPage',
    ),
  }),
  createRoute({
    ...parent,
    path: '/archives/',
    beforeLoad: requireSection('articles'),
    component: lazyRouteComponent(
      online(() => import('./archives')),
      'ArchivesPage',
    ),
  }),
  createRoute({
    ...parent,
    path: '/events/',
    beforeLoad: requireSection('events'),
    component: lazyRouteComponent(
      online(() => import('./events')),
      'EventsPage',
    ),
  }),
  createRoute({
    ...parent,
    path: '/contests/',
    beforeLoad: requireSection('contests'),
    component: lazyRouteComponent(
      online(() => import('./contests')),
      'ContestsPage',
    ),
  }),
  createRoute({
    ...parent,
    path: '/videos/',
    beforeLoad: requireSection('videos'),
    component: lazyRouteComponent(
      online(() => import('./videos')),
      'VideosPage',
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
    validateSearch: searchWords,
    component: lazyRouteComponent(
      online(() => import('./search')),
      'SearchPage',
    ),
  }),
  createRoute({
    ...parent,
    path: '/accounts/login',
    validateSearch: nextAddress,
    beforeLoad: requireGuest,
    onEnter: openLoginHere,
    component: lazyRouteComponent(
      online(() => import('./login')),
      'LoginPage',
    ),
  }),
  createRoute({
    ...parent,
    path: '/accounts/dashboard',
    beforeLoad: requireReader,
    component: lazyRouteComponent(
      online(() => import('./dashboard')),
      'DashboardPage',
    ),
  }),
  createRoute({
    ...parent,
    path: '/profiles/logout',
    validateSearch: nextAddress,
    component: lazyRouteComponent(
      online(() => import('./logout')),
      'LogoutPage',
    ),
  }),
  createRoute({ ...parent, path: '/$first/', component: FirstPage, loader }),
  createRoute({ ...parent, path: '/$first/$second/', component: ResolvedPage, loader }),
])
