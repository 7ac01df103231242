import { useMutation } from '@tanstack/react-query'
import type { TakeoutReview } from '#/api/types'
import { SAVED_KINDS } from '#/features/saved/kinds'
import { savedMap } from '#/features/saved/saved'
import { logInAgain, queryClient } from '#/features/session/current'
import { api } from '#/lib/api'
import { dataOf } from '#/lib/http'
import { ReadableError } from '#/lib/readable-error'
import { sendForm } from '#/lib/send-form'
import type { PlaceKind } from './review'

/** 4 MB, in bytes. */
const MAX_SIZE = 4 * 1024 * 1024

/** The reason why a file cannot be sent; null if it can. */
export function problemOf({ name, size }: Pick<File, 'name' | 'size'>): string | null {
  if (/\.(zip|tgz)$/i.test(name)) {
    return 'This is the whole archive. Open it, and choose one file inside it.'
  }
  if (size === 0) return 'This file is empty.'
  if (size > MAX_SIZE) return 'This file is larger than 4 MB.'
  return null
}

/** Looks up the places of a file in the guide, without saving anything. */
export function useReview() {
  return useMutation(
    {
      mutationFn: async (file: File) => {
        const problem = problemOf(file)
        if (problem !== null) throw new ReadableError(problem)
        const form = new FormData()
        form.append('file', file, file.name)
        return sendForm<TakeoutReview>('/api/v2/profiles/me/takeout/', form)
      },
      onError: logInAgain,
    },
    queryClient,
  )
}

interface Selection {
  listings: number[]
  kind: PlaceKind
}

/** Saves the chosen places. */
export function useSaveTakeout() {
  return useMutation(
    {
      mutationFn: ({ listings, kind }: Selection) =>
        dataOf(
          api.POST('/api/v2/profiles/me/takeout/save/', {
            body: { listings, kind: SAVED_KINDS[kind].field },
          }),
        ),
      onSuccess: ({ server_time }, { kind }) => void savedMap(kind).observe(server_time),
      onError: logInAgain,
    },
    queryClient,
  )
}
