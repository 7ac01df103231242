// Checks of responses. A failed check names the call and the response.
import { check } from 'k6'

/** Checks the status, and then the further conditions; returns whether all held. */
export function expect(name, answer, status, more = {}) {
  const checks = { [`${name}: ${status}`]: ({ status: found }) => found === status }
  for (const [what, holds] of Object.entries(more)) {
    checks[`${name}: ${what}`] = (found) => found.status === status && holds(found)
  }
  const fine = check(answer, checks)
  if (!fine) {
    const body = String(answer.body || answer.error).slice(0, 200)
    console.warn(`${name}: ${answer.request.method} ${answer.url} answered ${answer.status}: ${body}`)
  }
  return fine
}

/** A random element of an array. */
export function any(several) {
  return several[Math.floor(Math.random() * several.length)]
}
