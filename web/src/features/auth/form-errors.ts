import { ApiError } from '#/lib/http'

const UNREACHABLE = 'The site could not be reached. Please try again.'
/** Where not the site itself but something before it says so. */
const TOO_MANY = 'Too many tries. Please wait a little and try again.'

/** The first message for each field, and what belongs to none of them. */
export function formErrors<Field extends string>(
  error: unknown,
  fields: readonly Field[],
): Partial<Record<Field | 'other', string>> {
  if (!error) return {}
  const found: Partial<Record<Field | 'other', string>> = {}
  if (!(error instanceof ApiError)) return { ...found, other: UNREACHABLE }
  for (const field of fields) {
    const message = error.first(field)
    if (message) found[field] = message
  }
  const tooMany = error.status === 429 ? (error.first('detail') ?? TOO_MANY) : undefined
  const other = error.first('non_field_errors') ?? tooMany
  if (other) found.other = other
  else if (Object.keys(found).length === 0) found.other = error.first('detail') ?? UNREACHABLE
  return found
}

/** Every message in these dialogs begins like this. */
export function starred(message: string | undefined): string | undefined {
  return message && `* ${message}`
}

export const MISMATCH = "* The two passwords fields didn't match."

/** Longest address that an input takes. */
export const EMAIL_MAX = 255

/** The same shape that the browser itself demands of an email box. */
export function looksLikeEmail(text: string): boolean {
  return /^[^\s@]+@[^\s@.]+(\.[^\s@.]+)*$/.test(text)
}
