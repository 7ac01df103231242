// Generated from the gateway's table of pages (gateway/src/pages/kinds.rs).

/** The site's own pages with a fixed path. */
export const FIXED_PAGES = [
  { path: '/', name: 'home', section: null, load: () => import('./home'), component: 'HomePage' },
  { path: '/places/', name: 'places', section: 'listings', load: () => import('./places'), component: 'PlacesPage' },
  { path: '/neighbourhoods/', name: 'neighbourhoods', section: 'neighbourhoods', load: () => import('./neighbourhoods'), component: 'NeighbourhoodsPage' },
  { path: '/events/', name: 'events', section: 'events', load: () => import('./events'), component: 'EventsPage' },
  { path: '/tonight/', name: 'tonight', section: 'listings', load: () => import('./tonight'), component: 'TonightPage' },
  { path: '/contests/', name: 'contests', section: 'contests', load: () => import('./contests'), component: 'ContestsPage' },
  { path: '/videos/', name: 'videos', section: 'videos', load: () => import('./videos'), component: 'VideosPage' },
  { path: '/archives/', name: 'archives', section: 'articles', load: () => import('./archives'), component: 'ArchivesPage' },
  { path: '/contact/', name: 'contact', section: null, load: () => import('./contact'), component: 'ContactPage' },
  { path: '/newsletters/', name: 'newsletters', section: null, load: () => import('./newsletters'), component: 'NewslettersPage' },
  { path: '/advertising/', name: 'advertising', section: null, load: () => import('./advertising'), component: 'AdvertisingPage' },
  { path: '/search', name: 'search', section: null, load: () => import('./search'), component: 'SearchPage' },
  { path: '/accounts/login', name: 'login', section: null, load: () => import('./login'), component: 'LoginPage' },
  { path: '/accounts/reset-password', name: 'reset-password', section: null, load: () => import('./reset-password'), component: 'ResetPasswordPage' },
  { path: '/accounts/confirm-email', name: 'confirm-email', section: null, load: () => import('./confirm-email'), component: 'ConfirmEmailPage' },
  { path: '/accounts/receipt', name: 'receipt', section: null, load: () => import('./receipt'), component: 'ReceiptPage' },
  { path: '/accounts/dashboard', name: 'dashboard', section: null, load: () => import('./dashboard'), component: 'DashboardPage' },
  { path: '/profiles/facebook-deletion', name: 'facebook-deletion', section: null, load: () => import('./facebook-deletion'), component: 'FacebookDeletionPage' },
  { path: '/profiles/logout', name: 'logout', section: null, load: () => import('./logout'), component: 'LogoutPage' },
] as const

/** The page of the city. */
export const CITY_PAGE = { name: 'best-of', section: 'best_of', load: () => import('./best-of'), component: 'BestOfPage' } as const

/** The page of a section of articles. */
export const SECTION_PAGE = { name: 'section', section: 'articles', load: () => import('./section'), component: 'SectionPage' } as const

/** The pages of the catalogue's objects, by the kind that a path resolves to. */
export const RESOLVED_PAGES = {
  'listing': { name: 'place', section: 'listings', load: () => import('./place'), component: 'PlacePage' },
  'listing-type': { name: 'listing-type', section: 'listings', load: () => import('./listing-type'), component: 'ListingTypePage' },
  'neighbourhood': { name: 'neighbourhood', section: 'neighbourhoods', load: () => import('./neighbourhood'), component: 'NeighbourhoodPage' },
  'best-of-list': { name: 'best-of-list', section: 'best_of', load: () => import('./best-of-list'), component: 'BestOfListPage' },
  'article': { name: 'article', section: 'articles', load: () => import('./article'), component: 'ArticlePage' },
  'event': { name: 'event', section: 'events', load: () => import('./event'), component: 'EventPage' },
  'contest': { name: 'contest', section: 'contests', load: () => import('./contest'), component: 'ContestPage' },
  'video': { name: 'video', section: 'videos', load: () => import('./video'), component: 'VideoPage' },
  'page': { name: 'static-page', section: null, load: () => import('./static-page'), component: 'StaticPage' },
} as const
