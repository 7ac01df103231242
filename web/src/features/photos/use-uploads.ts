import { useEffect, useState, useSyncExternalStore } from 'react'
import { logInAgainFor, useKeepInput } from '#/features/session/current'
import { announce } from '#/ui/Announcer'
import { refreshAfterUpload, uploadPhoto } from './mutations'
import { Uploads } from './uploads'

const preview = {
  make: (file: File) => URL.createObjectURL(file),
  drop: (address: string) => URL.revokeObjectURL(address),
}

/** The uploads to a place, which are cancelled when the reader leaves the page. */
export function useUploads(listing: number) {
  const [uploads] = useState(
    () =>
      new Uploads({
        send: (sending) => uploadPhoto(listing, sending),
        preview,
        onSent: (photo) => {
          refreshAfterUpload(photo)
          announce('A photo is sent.')
        },
        onFailed: (error, retry) => {
          void logInAgainFor(error, { retry })
          announce('A photo was not sent.')
        },
      }),
  )
  useEffect(() => () => uploads.clear(), [uploads])
  const all = useSyncExternalStore(uploads.all.subscribe, uploads.all.get)
  useKeepInput(all.some(({ state }) => state.is !== 'sent'))
  return { uploads, all }
}
