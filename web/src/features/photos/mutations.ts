import { useMutation, type InfiniteData } from '@tanstack/react-query'
import { savedKeys } from '#/features/saved/keys'
import { logInAgain, queryClient } from '#/features/session/current'
import { historyCache } from '#/features/session/history'
import { api, unlessGone } from '#/lib/http'
import { withoutItem, type Page } from '#/lib/paging'
import { refetchChanged } from '#/lib/query-client'
import { sendForm } from '#/lib/send-form'
import { photoKeys } from './keys'
import type { OwnPhoto, ReportBody } from './types'
import type { Sending } from './uploads'

/** Reports a photo of somebody else. */
export function useReportPhoto(id: number) {
  return useMutation(
    {
      mutationFn: (body: ReportBody) =>
        api.POST('/api/v2/photos/{id}/report/', { params: { path: { id } }, body }),
      onError: logInAgain,
    },
    queryClient,
  )
}

interface Deletable {
  id: number
  listing: { id: number }
}

/** Deletes one of the reader's own photos. */
export function useDeletePhoto({ id, listing }: Deletable) {
  return useMutation(
    {
      mutationFn: () =>
        unlessGone(() => api.DELETE('/api/v2/photos/{id}/', { params: { path: { id } } })),
      onSuccess: () => {
        for (const queryKey of [photoKeys.own(), photoKeys.ofPlace(listing.id)]) {
          historyCache.dropLists(queryKey)
          queryClient.setQueryData<InfiniteData<Page<{ id: number }>>>(
            queryKey,
            (data) => data && { ...data, pages: withoutItem(data.pages, id) },
          )
        }
        // All after it have moved up by one.
        queryClient.removeQueries({ queryKey: photoKeys.pages(listing.id) })
        queryClient.removeQueries({ queryKey: photoKeys.detail(id) })
        forgetCounts()
      },
      onError: logInAgain,
    },
    queryClient,
  )
}

/** After the number of the reader's photos has changed. */
function forgetCounts(): void {
  void refetchChanged(queryClient, savedKeys.counts())
}

/** Sends a photo of a place, with its fields in the order that the server reads them: the file comes last. */
export async function uploadPhoto(
  listing: number,
  { file, description, rights, key, onProgress, signal }: Sending,
): Promise<OwnPhoto> {
  const form = new FormData()
  form.append('listing', String(listing))
  form.append('description', description.trim())
  form.append('credit', rights.credit.trim())
  form.append('licence', rights.licence)
  form.append('image', file, file.name)
  const headers = { 'Idempotency-Key': key }
  return sendForm<OwnPhoto>('/api/v2/photos/', form, { headers, onProgress, signal })
}

/** After a photo has been taken by the server. */
export function noteUploaded({ status, listing }: OwnPhoto): void {
  historyCache.dropLists(photoKeys.own())
  void refetchChanged(queryClient, photoKeys.own())
  if (status === 'published') void refetchChanged(queryClient, photoKeys.ofPlace(listing.id))
  forgetCounts()
}
