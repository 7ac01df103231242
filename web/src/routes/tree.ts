import { createRootRoute, createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { online } from '#/lib/online'
import { NotFoundPage } from './not-found'
import { ErrorPage, Root } from './root'
import {
  archiveSearch,
  contactSearch,
  eventsSearch,
  gridSearch,
  nextAddress,
  placesSearch,
  searchWords,
} from './search-params'
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
    validateSearch: placesSearch,
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
    validateSearch: archiveSearch,
    beforeLoad: requireSection('articles'),
    component: lazyRouteComponent(
      online(() => import('./archives')),
      'ArchivesPage',
    ),
  }),
  createRoute({
    ...parent,
    path: '/events/',
    validateSearch: eventsSearch,
    beforeLoad: requireSection('events'),
    component: lazyRouteComponent(
      online(() => import('./events')),
      'EventsPage',
    ),
  }),
  createRoute({
    ...parent,
    path: '/contests/',
    validateSearch: gridSearch,
    beforeLoad: requireSection('contests'),
    component: lazyRouteComponent(
      online(() => import('./contests')),
      'ContestsPage',
    ),
  }),
  createRoute({
    ...parent,
    path: '/videos/',
    validateSearch: gridSearch,
    beforeLoad: requireSection('videos'),
    component: lazyRouteComponent(
      online(() => import('./videos')),
      'VideosPage',
    ),
  }),
  createRoute({
    ...parent,
    path: '/contact/',
    validateSearch: contactSearch,
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
  // The pages of objects have a grid's parameters where they show one. Pages below an object, such as a
  // place's photos, are routes beside these two: `/$first/$second/photos/$photo/` and
  // `/$first/$second/photos/upload/`, where a fixed segment comes before a parameter.
  createRoute({
    ...parent,
    path: '/$first/',
    validateSearch: placesSearch,
    component: FirstPage,
    loader,
  }),
  createRoute({
    ...parent,
    path: '/$first/$second/',
    validateSearch: placesSearch,
    component: ResolvedPage,
    loader,
  }),
])
