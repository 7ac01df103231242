import type { Profile } from '#/api/types'
import { Form, Submit } from '#/ui/form/Form'
import { useSendConfirmation } from './mutations'
import styles from './Profile.module.css'

const NO_FIELDS = [] as const

interface Props {
  me: Pick<Profile, 'email' | 'email_verified' | 'pending_email'>
}

/** Whether the reader's address is confirmed, and how to confirm it. */
export function EmailState({ me }: Props) {
  const send = useSendConfirmation()
  const isWaiting = Boolean(me.pending_email) || !me.email_verified
  return (
    <>
      <p className={styles.note} role="status">
        {stateOf(me)}
      </p>
      {isWaiting && (
        <Form
          className={styles.again}
          fields={NO_FIELDS}
          error={send.error}
          isBusy={send.isPending}
          onSend={() => send.mutate()}
        >
          <Submit look="outline">Send the link again</Submit>
          <p className={styles.note} role="status">
            {send.isSuccess && 'We have sent it again.'}
          </p>
        </Form>
      )}
    </>
  )
}

function stateOf({
  email,
  email_verified: isVerified,
  pending_email: pending,
}: Props['me']): string {
  if (pending) {
    return `We have sent a link to ${pending}; until it is used, ${email} stays your address.`
  }
  if (isVerified) return 'Confirmed'
  return 'Not confirmed yet: we have sent a link to this address.'
}
