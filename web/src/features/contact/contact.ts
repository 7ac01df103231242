import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import type { ContactBody } from '#/api/types'
import { formKeys } from '#/lib/form-keys'
import { api } from '#/lib/api'
import { dataOf } from '#/lib/http'

/** The subjects to choose from; the editors get the text. */
export const SUBJECTS = [
  'A question',
  'A story or a tip',
  'A correction',
  'Advertising',
  'Something here does not work',
] as const

export const ADVERTISING = 'Advertising' satisfies (typeof SUBJECTS)[number]

/** The API's maximum lengths, in characters. */
export const MAX_LENGTHS = { name: 255, message: 10_000 } as const

/** Sends a message once, however many tries it takes: the same text has the same key. */
export function useContact() {
  const [keyOf] = useState(formKeys)
  return useMutation({
    mutationFn: (body: ContactBody) => {
      const headers = { 'Idempotency-Key': keyOf(body) }
      return dataOf(api.POST('/api/v2/contact/', { body, params: { header: headers } }))
    },
  })
}
