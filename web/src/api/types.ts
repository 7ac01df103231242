import type { components, paths } from './schema'

// Only this file uses the generated names.
type Schemas = components['schemas']

export type Site = Schemas['PageSite']
export type Ad = Schemas['Ad']
export type AdsQuery = paths['/api/v2/ads/']['get']['parameters']['query']
export type AdSlot = Schemas['AdSlot']
export type ThirdPartyConsent = Schemas['ThirdPartyConsent']
export type NavigationItem = Schemas['NavigationLink']
export type Navigation = Schemas['Navigation']
export type NavigationMenu = Schemas['Menu']
export type Listing = Schemas['Listing']
export type Infraction = Schemas['Infraction']
export type Inspection = Schemas['Inspection']
export type ListingDetail = Schemas['ListingDetail']
export type Neighbourhood = Schemas['Neighbourhood']
export type NeighbourhoodDetail = Schemas['NeighbourhoodDetail']
export type NeighbourhoodPortrait = Schemas['NeighbourhoodPortrait']
export type Resolved = Schemas['Resolved']
export type Article = Schemas['Article']
export type ArchiveMonth = Schemas['ArchiveMonth']
export type ContactBody = Schemas['ContactForm']
export type LastUpdates = Schemas['LastUpdates']
export type Hi = Schemas['Hi']
export type LoginBody = Schemas['Login']
export type CeremonyAnswer = Schemas['CeremonyAnswer']
export type EndingBody = Schemas['Ending']
export type Newcomer = Required<Pick<Schemas['Beginning'], 'full_name' | 'email'>>
export type Passkey = Schemas['Passkey']
export type Access = Schemas['Access']
export type AccessChoice = Schemas['AccessChoice']
export type RegistrationBody = Schemas['Registration']
export type SignedIn = Schemas['SignedIn']
export type ResetBody = Schemas['ResetPassword']
export type Profile = Schemas['Profile']
export type AvatarState = Schemas['Avatar']
export type ProfileChange = Schemas['ProfileChange']
export type Newsletter = Schemas['Newsletter']
export type NewsletterSettings = Schemas['NewsletterSettings']
export type GuestNewslettersBody = Schemas['GuestNewsletters']
export type FacebookConnection = Schemas['FacebookConnection']
export type FacebookDeletion = Schemas['FacebookDeletion']
export type PasswordChange = Schemas['PasswordChange']
export type Calendar = Schemas['Calendar']
export type CalendarFeed = Schemas['CalendarFeed']
export type DeviceSession = Schemas['Session']
export type DeviceSessions = Schemas['Page_Session']
export type BestOfList = Schemas['BestOfList']
export type BestOfDetail = Schemas['BestOfDetail']
export type SearchPage = Schemas['SearchPage']
export type Found = Schemas['Found']
export type Suggestion = Schemas['Suggestion']
export type HomeBlock = Schemas['HomeBlock']
export type Event = Schemas['Event']
export type Tonight = Schemas['Tonight']
export type OpenPlace = Schemas['OpenPlace']
export type TonightEvent = Schemas['TonightEvent']
export type Contest = Schemas['Contest']
export type NewEntry = Schemas['NewEntry']
export type ReportEntry = Schemas['ReportEntry']
export type PageName = Schemas['PageName']
export type Video = Schemas['Video']
export type ErasureBody = Schemas['Erasure']
export type Receipt = Schemas['Receipt']
export type DashboardCounts = Schemas['DashboardCounts']
export type PlaceRating = Schemas['PlaceRating']
export type Photo = Schemas['Photo']
export type OwnPhoto = Schemas['OwnPhoto']
export type TakeoutReview = Schemas['TakeoutReview']
export type TakeoutEntry = Schemas['TakeoutEntry']
export type MatchedListing = Schemas['MatchedListing']
export type SavedTakeout = Schemas['SavedTakeout']
export type PhotoReport = Schemas['PhotoReport']

type Get<P extends keyof paths> = paths[P] extends { get: infer Operation } ? Operation : never

/** The body of a successful answer to a GET request. */
export type BodyOf<P extends keyof paths> =
  Get<P> extends { responses: { 200: { content: { 'application/json': infer Body } } } }
    ? Body
    : never

export type GetPath = {
  [P in keyof paths]: [BodyOf<P>] extends [never] ? never : P
}[keyof paths]

type OrUndefined<T> = { [K in keyof T]: T[K] | undefined }
type InPath<T> = T extends { path: infer Path } ? { path: Path } : { path?: undefined }
type InQuery<T> = T extends { query: infer Query }
  ? { query: OrUndefined<Query> }
  : T extends { query?: infer Query }
    ? { query?: OrUndefined<NonNullable<Query>> }
    : never

/** The parameters of a GET request. */
export type GetParams<P extends GetPath> =
  Get<P> extends { parameters: infer Parameters } ? InPath<Parameters> & InQuery<Parameters> : never

/** The paths of lists that are divided into pages. */
export type ListPath = {
  [P in keyof paths]: BodyOf<P> extends { results: { id: number }[]; count: number } ? P : never
}[keyof paths]

/** An item of a list, by the list's path. */
export type PageItem<P extends ListPath> =
  BodyOf<P> extends { results: (infer Item extends { id: number })[] } ? Item : never
