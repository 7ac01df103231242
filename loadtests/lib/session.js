// Readers: accounts and their sessions.
import http from 'k6/http'
import { fail } from 'k6'

/** Registers a new reader and returns the session's cookies. Hashing the password is slow on purpose. */
export function register(site) {
  const mark = `${Date.now().toString(36)}${Math.random().toString(36).slice(2, 10)}`
  const password = `tracks and wire ${mark}`
  const account = {
    full_name: 'Robin Ames',
    email: `robin.${mark}@example.com`,
    password,
    password_repeat: password,
  }
  const answer = http.post(`${site}/api/v2/profiles/email-registration/`, JSON.stringify(account), {
    headers: { 'content-type': 'application/json', origin: site },
    tags: { name: 'setup' },
  })
  if (answer.status !== 201) {
    fail(`registration answered ${answer.status}: ${answer.body}`)
  }
  const cookies = {}
  for (const [name, [cookie]] of Object.entries(answer.cookies)) {
    cookies[name] = cookie.value
  }
  // The next reader must not send this reader's cookies.
  http.cookieJar().clear(site)
  return cookies
}

/** The parameters of a reader's request; `name` is its name in the metrics. */
export function as(site, cookies, name) {
  return {
    cookies,
    headers: { 'content-type': 'application/json', origin: site },
    tags: { name },
  }
}
