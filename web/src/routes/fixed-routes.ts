// Generated from the gateway's table of pages (gateway/src/pages/kinds.rs).
import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { online } from '#/lib/online'
import { requireSection } from './guards'
import { pageOptions } from './page-options'
import { parent } from './parent'

/** The routes of the site's own pages with a fixed path. */
export const fixedRoutes = [
  createRoute({
    ...parent,
    ...pageOptions('/'),
    path: '/',
    component: lazyRouteComponent(online(() => import('./home')), 'HomePage'),
  }),
  createRoute({
    ...parent,
    ...pageOptions('/places/'),
    path: '/places/',
    beforeLoad: requireSection('listings'),
    component: lazyRouteComponent(online(() => import('./places')), 'PlacesPage'),
  }),
  createRoute({
    ...parent,
    ...pageOptions('/neighbourhoods/'),
    path: '/neighbourhoods/',
    beforeLoad: requireSection('neighbourhoods'),
    component: lazyRouteComponent(online(() => import('./neighbourhoods')), 'NeighbourhoodsPage'),
  }),
  createRoute({
    ...parent,
    ...pageOptions('/events/'),
    path: '/events/',
    beforeLoad: requireSection('events'),
    component: lazyRouteComponent(online(() => import('./events')), 'EventsPage'),
  }),
  createRoute({
    ...parent,
    ...pageOptions('/tonight/'),
    path: '/tonight/',
    beforeLoad: requireSection('listings'),
    component: lazyRouteComponent(online(() => import('./tonight')), 'TonightPage'),
  }),
  createRoute({
    ...parent,
    ...pageOptions('/contests/'),
    path: '/contests/',
    beforeLoad: requireSection('contests'),
    component: lazyRouteComponent(online(() => import('./contests')), 'ContestsPage'),
  }),
  createRoute({
    ...parent,
    ...pageOptions('/videos/'),
    path: '/videos/',
    beforeLoad: requireSection('videos'),
    component: lazyRouteComponent(online(() => import('./videos')), 'VideosPage'),
  }),
  createRoute({
    ...parent,
    ...pageOptions('/archives/'),
    path: '/archives/',
    beforeLoad: requireSection('articles'),
    component: lazyRouteComponent(online(() => import('./archives')), 'ArchivesPage'),
  }),
  createRoute({
    ...parent,
    ...pageOptions('/contact/'),
    path: '/contact/',
    component: lazyRouteComponent(online(() => import('./contact')), 'ContactPage'),
  }),
  createRoute({
    ...parent,
    ...pageOptions('/newsletters/'),
    path: '/newsletters/',
    component: lazyRouteComponent(online(() => import('./newsletters')), 'NewslettersPage'),
  }),
  createRoute({
    ...parent,
    ...pageOptions('/advertising/'),
    path: '/advertising/',
    component: lazyRouteComponent(online(() => import('./advertising')), 'AdvertisingPage'),
  }),
  createRoute({
    ...parent,
    ...pageOptions('/search'),
    path: '/search',
    component: lazyRouteComponent(online(() => import('./search')), 'SearchPage'),
  }),
  createRoute({
    ...parent,
    ...pageOptions('/accounts/login'),
    path: '/accounts/login',
    component: lazyRouteComponent(online(() => import('./login')), 'LoginPage'),
  }),
  createRoute({
    ...parent,
    ...pageOptions('/accounts/reset-password'),
    path: '/accounts/reset-password',
    component: lazyRouteComponent(online(() => import('./reset-password')), 'ResetPasswordPage'),
  }),
  createRoute({
    ...parent,
    ...pageOptions('/accounts/confirm-email'),
    path: '/accounts/confirm-email',
    component: lazyRouteComponent(online(() => import('./confirm-email')), 'ConfirmEmailPage'),
  }),
  createRoute({
    ...parent,
    ...pageOptions('/accounts/receipt'),
    path: '/accounts/receipt',
    component: lazyRouteComponent(online(() => import('./receipt')), 'ReceiptPage'),
  }),
  createRoute({
    ...parent,
    ...pageOptions('/accounts/dashboard'),
    path: '/accounts/dashboard',
    component: lazyRouteComponent(online(() => import('./dashboard')), 'DashboardPage'),
  }),
  createRoute({
    ...parent,
    ...pageOptions('/profiles/facebook-deletion'),
    path: '/profiles/facebook-deletion',
    component: lazyRouteComponent(online(() => import('./facebook-deletion')), 'FacebookDeletionPage'),
  }),
  createRoute({
    ...parent,
    ...pageOptions('/profiles/logout'),
    path: '/profiles/logout',
    component: lazyRouteComponent(online(() => import('./logout')), 'LogoutPage'),
  }),
] as const
