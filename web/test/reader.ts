import type {
  Access,
  CalendarFeed,
  DeviceSession,
  DeviceSessions,
  Passkey,
  Profile,
  Receipt,
} from '#/api/types'

/** The server's time in answers. */
export const AT = '2026-11-20T18:00:00.000Z'

/** A signed-in reader. */
export const ROBIN: Profile = {
  id: 7,
  full_name: 'Robin Ames',
  first_name: 'Robin',
  last_name: 'Ames',
  email: 'robin@example.com',
  email_verified: true,
  pending_email: null,
  avatar_url: null,
  has_password: true,
  has_submitted_todo: false,
  last_updates: {},
  newsletter_settings: {
    news: false,
    events: false,
    foods: false,
    contests: false,
    real_estate: false,
    travel: false,
    photo_challenge_alerts: false,
    promotions: false,
  },
  is_news_category_newsletter_active: false,
  is_events_category_newsletter_active: false,
  is_foods_category_newsletter_active: false,
}

const session: DeviceSession = {
  id: 1,
  device: 'Firefox on Linux',
  date_created: '2026-11-01T12:00:00.000Z',
  last_active: AT,
  is_current: true,
}

export const THIS_DEVICE = session
export const PHONE: DeviceSession = {
  ...session,
  id: 2,
  device: 'Safari on iPhone',
  last_active: '2026-11-18T18:00:00.000Z',
  is_current: false,
}

/** A page of these sessions. */
export function sessionsPage(...results: DeviceSession[]): DeviceSessions {
  return { results, count: results.length, next: null, server_time: AT }
}

/** A used passkey, and an unused one. */
export const PASSKEYS: Passkey[] = [
  { id: 2, name: 'Safari on iPhone', date_created: AT, last_used: null },
  { id: 1, name: 'Firefox on Linux', date_created: '2026-11-01T12:00:00.000Z', last_used: AT },
]

/** Everything that can give access to an account, and a password alone. */
export const ALL_ACCESS: Access = {
  has_password: true,
  passkeys: PASSKEYS,
  has_facebook: true,
  has_calendar: true,
  has_calendar_feed: true,
}
export const PASSWORD_ACCESS: Access = {
  has_password: true,
  passkeys: [],
  has_facebook: false,
  has_calendar: false,
  has_calendar_feed: false,
}

/** A calendar feed that is off, and one that is on. */
export const NO_FEED: CalendarFeed = { url: null, date_created: null }
export const FEED: CalendarFeed = {
  url: 'https://guide.example/calendar/a-secret-of-this-test.ics',
  date_created: AT,
}

/** The receipt of an erasure. */
export const RECEIPT: Receipt = {
  statement: {
    site: 'https://guide.example',
    account: 7,
    requested_at: AT,
    erased_at: '2026-11-20T18:00:12.000Z',
    erased: [
      { kind: 'favourites', count: 1200 },
      { kind: 'photo_reports', count: 1 },
    ],
    kept: [{ kind: 'receipt', reason: 'This receipt itself.', until: '2026-12-20T18:00:12.000Z' }],
  },
  jws: 'e30.e30.c2ln',
}
