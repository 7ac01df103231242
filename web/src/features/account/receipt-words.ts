/** The names of a receipt's kinds of records. */
const KINDS: Record<string, string> = {
  profile: 'Account',
  sessions: 'Devices that were logged in',
  passkeys: 'Passkeys',
  facebook_links: 'Connection with Facebook',
  mailed_links: 'Links that were mailed to you',
  calendar_authorizations: 'Calendar connections begun',
  calendar_entries: 'Events in your calendar',
  calendar_feeds: 'Calendar feed',
  calendar_grants: 'Calendar connections',
  calendar_intents: 'Events to be saved with your calendar',
  last_updates: 'Times of your last changes',
  favourites: 'Favourite places',
  third_party_choices: 'Choice about other companies',
  todos: 'Places to visit',
  article_bookmarks: 'Saved articles',
  event_bookmarks: 'Saved events',
  video_bookmarks: 'Saved videos',
  ratings: 'Ratings',
  contest_entries: 'Entries to contests',
  receipt: 'This receipt',
}

/** The name of a kind; an unknown kind is spelled out, "photo_reports" as "Photo reports". */
export function kindInWords(kind: string): string {
  const name = kind.replaceAll('_', ' ')
  return KINDS[kind] ?? name.charAt(0).toUpperCase() + name.slice(1)
}
