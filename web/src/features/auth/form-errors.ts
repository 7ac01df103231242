import { ApiError } from '#/lib/http'

const UNREACHABLE = 'The site could not be reached. Please try again.'
/** Shown when a proxy answers 429 without a message of the API. */
const TOO_MANY = 'Too many tries. Please wait a little and try again.'

const BLANK = 'This field may not be blank.'

/**
 * The first message for each field, and under `other` one that belongs to no field. For a field that
 * was left blank a form may have words of its own.
 */
export function formErrors<Field extends string>(
  error: unknown,
  fields: readonly Field[],
  blank: Partial<Record<Field, string>> = {},
): Partial<Record<Field | 'other', string>> {
  if (!error) return {}
  const found: Partial<Record<Field | 'other', string>> = {}
  if (!(error instanceof ApiError)) return { ...found, other: UNREACHABLE }
  for (const field of fields) {
    const message = error.first(field)
    if (message) found[field] = (message === BLANK && blank[field]) || message
  }
  const tooMany = error.status === 429 ? (error.first('detail') ?? TOO_MANY) : undefined
  const other = error.first('non_field_errors') ?? tooMany
  if (other) found.other = other
  else if (Object.keys(found).length === 0) found.other = error.first('detail') ?? UNREACHABLE
  return found
}

/** The prefix of every message in the account dialogs (spec, section 8). */
export function starred(message: string | undefined): string | undefined {
  return message && `* ${message}`
}

export const MISMATCH = "* The two passwords fields didn't match."

/** Maximum length of an email address. */
export const EMAIL_MAX = 255

/** The same rule as the browser's for an email input. */
export function looksLikeEmail(text: string): boolean {
  return /^[^\s@]+@[^\s@.]+(\.[^\s@.]+)*$/.test(text)
}
