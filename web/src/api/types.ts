import type { components } from './schema'

// The one place that spells the generated names.
type Schemas = components['schemas']

export type Site = Schemas['Site']
export type NavigationItem = Schemas['NavigationLink']
export type Listing = Schemas['Listing']
export type ListingDetail = Schemas['ListingDetail']
export type ListingType = Schemas['ListingType']
export type Neighbourhood = Schemas['Neighbourhood']
export type Resolved = Schemas['Resolved']
export type Profile = Schemas['Profile']
export type LastUpdates = Schemas['LastUpdates']
export type Hi = Schemas['Hi']
export type Favourite = Schemas['Favourite']
export type FavouritePage = Schemas['Page_Favourite']
export type LoginBody = Schemas['Login']
export type RegistrationBody = Schemas['Registration']
export type SignedIn = Schemas['SignedIn']
export type BestOfList = Schemas['BestOfList']
export type BestOfDetail = Schemas['BestOfDetail']
export type HomeBlock = Schemas['HomeBlock']
