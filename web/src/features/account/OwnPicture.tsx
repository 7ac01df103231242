import { useRef } from 'react'
import type { Profile } from '#/api/types'
import { ACCEPT } from '#/features/photos/picture-files'
import { announce } from '#/ui/Announcer'
import { Avatar } from '#/ui/Avatar'
import { Button } from '#/ui/Button'
import { FileButton } from '#/ui/FileButton'
import { Failure } from '#/ui/form/Failure'
import { useRemoveAvatar, useSetAvatar } from './mutations'
import styles from './OwnPicture.module.css'

type Props = Pick<Profile, 'full_name' | 'avatar_url'>

const FIELDS = ['image'] as const

/** The reader's own picture, which appears beside their name on their photos. */
export function OwnPicture({ full_name: name, avatar_url: source }: Props) {
  const input = useRef<HTMLInputElement>(null)
  const set = useSetAvatar()
  const remove = useRemoveAvatar()
  const isMaking = set.data?.is_processing ?? false

  const choose = ([file]: readonly File[]): void => {
    if (!file) return
    remove.reset()
    set.mutate(file, {
      onSuccess: ({ is_processing }) => {
        if (!is_processing) announce('Your picture is set.')
      },
    })
  }
  const clear = (): void => {
    set.reset()
    remove.mutate(undefined, {
      onSuccess: () => {
        announce('Your picture is removed.')
        // The focused button has been removed.
        input.current?.focus()
      },
    })
  }

  return (
    <>
      <div className={styles.line}>
        <Avatar name={name} source={source} isLarge />
        <div className={styles.actions}>
          <FileButton
            ref={input}
            look="outline"
            accept={ACCEPT}
            isBusy={set.isPending}
            onFiles={choose}
          >
            {source ? 'Change your picture' : 'Choose a picture'}
          </FileButton>
          {source && (
            <Button
              look="quiet"
              aria-label="Remove your picture"
              isBusy={remove.isPending}
              onClick={clear}
            >
              Remove
            </Button>
          )}
        </div>
      </div>
      <p className={styles.note} role="status">
        {isMaking && 'Your picture is being made and will be here soon.'}
      </p>
      <Failure error={set.error} fields={FIELDS} />
      <Failure error={remove.error} />
    </>
  )
}
