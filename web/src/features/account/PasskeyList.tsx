import { useQuery } from '@tanstack/react-query'
import { useRef } from 'react'
import type { Passkey } from '#/api/types'
import { usePasskeys } from '#/features/auth/passkeys'
import { useSite } from '#/features/site/site'
import { formatDate, parseInstant } from '#/lib/time'
import { dayIn } from '#/lib/zone'
import { announce } from '#/ui/Announcer'
import { Button } from '#/ui/Button'
import { ConfirmButton } from './ConfirmButton'
import { Failure } from '#/ui/form/Failure'
import forms from './forms.module.css'
import { useAddPasskey, useRemovePasskey } from './mutations'
import { ProfileSection } from './ProfileSection'
import { passkeysOptions } from './queries'
import styles from './SessionList.module.css'

/** The section of the reader's passkeys; empty if the browser or the site does not support them. */
export function Passkeys() {
  return usePasskeys() ? <PasskeySection /> : null
}

function PasskeySection() {
  const passkeys = useQuery(passkeysOptions())
  return (
    <ProfileSection title="Your passkeys" what="passkeys" query={passkeys} height="4.5rem">
      {({ results }) => <PasskeyList passkeys={results} />}
    </ProfileSection>
  )
}

/** The reader's passkeys, which can be removed, and a button that adds one. */
export function PasskeyList({ passkeys }: { passkeys: Passkey[] }) {
  const list = useRef<HTMLUListElement>(null)
  const add = useAddPasskey()
  return (
    <>
      {passkeys.length === 0 ? (
        <p>
          A passkey logs you in with your fingerprint, face or device code, and cannot be stolen as
          a password can.
        </p>
      ) : (
        <ul className={styles.list} ref={list} tabIndex={-1}>
          {passkeys.map((passkey) => (
            <li key={passkey.id} className={styles.session}>
              <Line
                passkey={passkey}
                // The focused button is removed with its line.
                onRemoved={() => list.current?.focus()}
              />
            </li>
          ))}
        </ul>
      )}
      <div className={forms.actions}>
        <Button
          look="outline"
          isBusy={add.isPending}
          onClick={() =>
            add.mutate(undefined, { onSuccess: () => announce('Your passkey is made.') })
          }
        >
          {passkeys.length === 0 ? 'Make a passkey' : 'Make another passkey'}
        </Button>
      </div>
      <Failure error={add.error} />
    </>
  )
}

interface LineProps {
  passkey: Passkey
  onRemoved: () => void
}

function Line({
  passkey: { id, name, date_created: made, last_used: used },
  onRemoved,
}: LineProps) {
  const { timezone } = useSite()
  const remove = useRemovePasskey(id, () => {
    announce('The passkey is removed.')
    onRemoved()
  })
  const day = (text: string): string => formatDate(dayIn(timezone, parseInstant(text)))
  return (
    <>
      <p>
        <b className={styles.device}>{name}</b>
        <span className={styles.note}>
          {made && `Made on ${day(made)}`}
          {used ? `, last used on ${day(used)}` : ', not used yet'}
        </span>
      </p>
      <ConfirmButton
        name="Remove"
        label={`Remove the passkey of ${name}`}
        text="It does not log you in any more. Your device keeps its part until you delete it there."
        isBusy={remove.isPending}
        error={remove.error}
        onYes={() => remove.mutate()}
      />
    </>
  )
}
