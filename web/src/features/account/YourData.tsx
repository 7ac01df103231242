import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { Profile } from '#/api/types'
import { useFacebook } from '#/features/auth/facebook'
import { usePasskeys } from '#/features/auth/passkeys'
import { Button } from '#/ui/Button'
import { Dialog } from '#/ui/Dialog'
import { EraseForm } from './EraseForm'
import { ExportButton } from './ExportButton'
import profile from './Profile.module.css'
import { facebookOptions, passkeysOptions } from './queries'
import styles from './YourData.module.css'

const YOUR_DATA = 'your-data'

/** Downloads all stored data of the reader, or deletes the account. */
export function YourData({ me }: { me: Pick<Profile, 'has_password'> }) {
  const [isErasing, setErasing] = useState(false)
  const passkeys = useQuery({ ...passkeysOptions(), enabled: usePasskeys() })
  const facebook = useQuery({ ...facebookOptions(), enabled: useFacebook() })
  return (
    <section className={profile.section} aria-labelledby={YOUR_DATA}>
      <h2 className={profile.title} id={YOUR_DATA}>
        Your data
      </h2>
      <p>
        You can download everything we hold about you, as a ZIP archive, and delete your account
        with everything that belongs to it.
      </p>
      <div className={styles.actions}>
        <ExportButton />
        <Button look="outline" onClick={() => setErasing(true)}>
          Delete your account
        </Button>
      </div>
      <Dialog title="Delete your account" isOpen={isErasing} onClose={() => setErasing(false)}>
        <EraseForm
          hasPassword={me.has_password}
          hasPasskey={(passkeys.data?.count ?? 0) > 0}
          hasFacebook={facebook.data?.is_connected ?? false}
        />
      </Dialog>
    </section>
  )
}
