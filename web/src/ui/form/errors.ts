import { ApiError } from '#/lib/http'
import { ReadableError } from '#/lib/readable-error'

const UNREACHABLE = 'The site could not be reached. Please try again.'
/** For a proxy's 429, which has no message of the API. */
const TOO_MANY = 'Too many tries. Please wait a little and try again.'

export const BLANK = 'This field may not be blank.'

export interface FormErrors {
  /** The first message of each field. */
  fields: Record<string, string>
  /** A message that belongs to no field. */
  other?: string | undefined
}

/** The messages of an error; a form may have its own for blank fields. */
export function formErrors(
  error: unknown,
  names: readonly string[],
  blank: Partial<Record<string, string>> = {},
): FormErrors {
  const fields: Record<string, string> = {}
  if (!error) return { fields }
  if (error instanceof ReadableError) return { fields, other: error.message }
  if (!(error instanceof ApiError)) return { fields, other: UNREACHABLE }
  for (const name of names) {
    const message = error.first(name)
    if (message) fields[name] = (message === BLANK && blank[name]) || message
  }
  const tooMany = error.status === 429 ? (error.first('detail') ?? TOO_MANY) : undefined
  const other = error.first('non_field_errors') ?? tooMany
  if (other || Object.keys(fields).length > 0) return { fields, other }
  return { fields, other: error.first('detail') ?? UNREACHABLE }
}
