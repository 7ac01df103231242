import { useMutation } from '@tanstack/react-query'
import { useRef } from 'react'
import type { ContactBody } from '#/api/types'
import { api, dataOf } from '#/lib/http'

/** What a message can be about; its text is what the editors read. */
export const SUBJECTS = [
  'A question',
  'A story or a tip',
  'A correction',
  'Advertising',
  'Something here does not work',
] as const

export const ADVERTISING = 'Advertising' satisfies (typeof SUBJECTS)[number]

/** The API's own bounds, in characters. */
export const LONGEST = { name: 255, message: 10_000 } as const

interface Attempt {
  body: string
  key: string
}

/**
 * Sends a message once, however often it has to be tried: the same text goes with the same key. What
 * was changed in between is another message, and the API refuses another text under a key it knows.
 */
export function useContact() {
  const last = useRef<Attempt | null>(null)
  return useMutation({
    mutationFn: (body: ContactBody) => {
      const text = JSON.stringify(body)
      if (last.current?.body !== text) last.current = { body: text, key: freshKey() }
      const headers = { 'Idempotency-Key': last.current.key }
      return dataOf(api.POST('/api/v2/contact/', { body, params: { header: headers } }))
    },
  })
}

/** Browsers give UUIDs on secure sites only; random bytes they give everywhere. */
function freshKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16))
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')
}
