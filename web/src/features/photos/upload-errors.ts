import { isStatus, ApiError } from '#/lib/http'
import { formErrors } from '#/ui/form/errors'

const FIELDS = ['image', 'listing', 'description', 'credit', 'licence'] as const

/** The messages of a failed upload. */
export function uploadErrors(error: unknown): string[] {
  if (isStatus(error, 0)) return ['The connection was lost.']
  if (isStatus(error, 401)) return ['You are not logged in any more.']
  const { fields, other } = formErrors(error, FIELDS)
  const messages = [...Object.values(fields), ...(other ? [other] : [])]
  const isTooLarge = isStatus(error, 413) && !(error as ApiError).first('detail')
  return isTooLarge ? ['This file is too large for the site.'] : messages
}

/** Whether the same file may be accepted by a retry. */
export function isWorthAnotherTry(error: unknown): boolean {
  return !(error instanceof ApiError) || ![400, 413, 415, 422].includes(error.status)
}
