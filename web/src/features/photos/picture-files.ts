/** The accepted types. iPhones convert their own format if a page accepts only these. */
export const ACCEPT = 'image/jpeg,image/png,image/webp'
const TYPES = new Set(ACCEPT.split(','))
/** 25 MB, in bytes. */
const MAX_SIZE = 25 * 1024 * 1024

/** The reason why a file cannot be uploaded; null if it can. */
export function problemOf({ type, size }: Pick<File, 'type' | 'size'>): string | null {
  if (!TYPES.has(type)) return 'This is not a JPEG, PNG or WebP picture.'
  if (size === 0) return 'This file is empty.'
  if (size > MAX_SIZE) return 'This file is larger than 25 MB.'
  return null
}

/** The files of a drop or a paste. */
export function filesOf(transfer: DataTransfer | null): File[] {
  return transfer ? [...transfer.files] : []
}
