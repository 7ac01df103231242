// Generated from the gateway's table of pages (gateway/src/pages/kinds.rs).

/** The site's own pages with a fixed path. */
export const FIXED_PAGES = [
  { path: '/', section: null, load: () => import('./home'), component: 'HomePage' },
  { path: '/places/', section: 'listings', load: () => import('./places'), component: 'PlacesPage' },
  { path: '/neighbourhoods/', section: 'neighbourhoods', load: () => import('./neighbourhoods'), component: 'NeighbourhoodsPage' },
  { path: '/events/', section: 'events', load: () => import('./events'), component: 'EventsPage' },
  { path: '/tonight/', section: 'listings', load: () => import('./tonight'), component: 'TonightPage' },
  { path: '/contests/', section: 'contests', load: () => import('./contests'), component: 'ContestsPage' },
  { path: '/videos/', section: 'videos', load: () => import('./videos'), component: 'VideosPage' },
  { path: '/archives/', section: 'articles', load: () => import('./archives'), component: 'ArchivesPage' },
  { path: '/contact/', section: null, load: () => import('./contact'), component: 'ContactPage' },
  { path: '/newsletters/', section: null, load: () => import('./newsletters'), component: 'NewslettersPage' },
  { path: '/advertising/', section: null, load: () => import('./advertising'), component: 'AdvertisingPage' },
  { path: '/search', section: null, load: () => import('./search'), component: 'SearchPage' },
  { path: '/accounts/login', section: null, load: () => import('./login'), component: 'LoginPage' },
  { path: '/accounts/reset-password', section: null, load: () => import('./reset-password'), component: 'ResetPasswordPage' },
  { path: '/accounts/confirm-email', section: null, load: () => import('./confirm-email'), component: 'ConfirmEmailPage' },
  { path: '/accounts/receipt', section: null, load: () => import('./receipt'), component: 'ReceiptPage' },
  { path: '/accounts/dashboard', section: null, load: () => import('./dashboard'), component: 'DashboardPage' },
  { path: '/profiles/facebook-deletion', section: null, load: () => import('./facebook-deletion'), component: 'FacebookDeletionPage' },
  { path: '/profiles/logout', section: null, load: () => import('./logout'), component: 'LogoutPage' },
] as const

/** The page of the city. */
export const CITY_PAGE = { section: 'best_of', load: () => import('./best-of'), component: 'BestOfPage' } as const

/** The page of a section of articles. */
export const SECTION_PAGE = { section: 'articles', load: () => import('./section'), component: 'SectionPage' } as const

/** The pages of the catalogue's objects, by the kind that a path resolves to. */
export const RESOLVED_PAGES = {
  'listing': { section: 'listings', load: () => import('./place'), component: 'PlacePage' },
  'listing-type': { section: 'listings', load: () => import('./listing-type'), component: 'ListingTypePage' },
  'neighbourhood': { section: 'neighbourhoods', load: () => import('./neighbourhood'), component: 'NeighbourhoodPage' },
  'best-of-list': { section: 'best_of', load: () => import('./best-of-list'), component: 'BestOfListPage' },
  'article': { section: 'articles', load: () => import('./article'), component: 'ArticlePage' },
  'event': { section: 'events', load: () => import('./event'), component: 'EventPage' },
  'contest': { section: 'contests', load: () => import('./contest'), component: 'ContestPage' },
  'video': { section: 'videos', load: () => import('./video'), component: 'VideoPage' },
  'page': { section: null, load: () => import('./static-page'), component: 'StaticPage' },
} as const
