import type { DeviceSession, DeviceSessions, Profile } from '#/api/types'

/** The server's clock in answers. */
export const AT = '2026-11-20T18:00:00.000Z'

/** A reader who is signed in. */
export const ROBIN: Profile = {
  id: 7,
  full_name: 'Robin Ames',
  first_name: 'Robin',
  last_name: 'Ames',
  email: 'robin@example.com',
  email_verified: true,
  pending_email: null,
  has_submitted_todo: false,
  last_updates: {},
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

/** The answer that lists these sessions. */
export function sessionsPage(...results: DeviceSession[]): DeviceSessions {
  return { results, count: results.length, next: null, server_time: AT }
}
