import { useMutation, type InfiniteData } from '@tanstack/react-query'
import { savedCountsOptions } from '#/features/saved/queries'
import { logInAgain, queryClient } from '#/features/session/current'
import { historyCache } from '#/features/session/history'
import { api } from '#/lib/api'
import { unlessGone } from '#/lib/http'
import { withoutItem, type Page } from '#/lib/paging'
import { refetchChanged } from '#/lib/query-client'
import { sendForm } from '#/lib/send-form'
import { middlePagesKey, ownPhotosOptions, photoOptions, placePhotosOptions } from './queries'
import type { OwnPhoto, ReportBody } from './types'
import type { Sending } from './uploads'

/** Reports another person's photo. */
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
        for (const queryKey of [
          ownPhotosOptions().queryKey,
          placePhotosOptions(listing).queryKey,
        ]) {
          historyCache.dropLists(queryKey)
          queryClient.setQueryData<InfiniteData<Page<{ id: number }>>>(
            queryKey,
            (data) => data && { ...data, pages: withoutItem(data.pages, id) },
          )
        }
        // All later photos have moved up by one.
        queryClient.removeQueries({ queryKey: middlePagesKey(listing.id) })
        queryClient.removeQueries({ queryKey: photoOptions(id).queryKey })
        refetchCounts()
      },
      onError: logInAgain,
    },
    queryClient,
  )
}

/** Call it after the number of the reader's photos has changed. */
function refetchCounts(): void {
  void refetchChanged(queryClient, savedCountsOptions().queryKey)
}

/** Sends a photo of a place. The server expects the file last. */
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

/** Call it after the server has accepted a photo. */
export function refreshAfterUpload({ status, listing }: OwnPhoto): void {
  historyCache.dropLists(ownPhotosOptions().queryKey)
  void refetchChanged(queryClient, ownPhotosOptions().queryKey)
  if (status === 'published') void refetchChanged(queryClient, placePhotosOptions(listing).queryKey)
  refetchCounts()
}
