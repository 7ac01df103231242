import type { Access, AccessChoice } from '#/api/types'
import { HOME } from '#/features/dashboard/address'
import { ApiError } from '#/lib/http'
import { Button } from '#/ui/Button'
import { Failure } from '#/ui/form/Failure'
import { Form, Submit } from '#/ui/form/Form'
import { Notice } from '#/ui/Notice'
import { SiteLink } from '#/ui/SiteLink'
import { AccessList } from './AccessList'
import forms from './forms.module.css'
import { isTokenRefused } from './mailed-link'
import { useConfirmEmail } from './mutations'
import { Outcome } from './Outcome'
import { ResetPassword } from './ResetPassword'

const NO_FIELDS = [] as const

interface Props {
  /** The token of the mailed link, or an empty string. */
  token: string
}

/**
 * Confirms an email address by a mailed link, after a click on the button: mail scanners open links
 * too, and run the page's scripts.
 */
export function ConfirmEmail({ token }: Props) {
  const confirm = useConfirmEmail(token)
  // A separate call, so that the question remains on the page while the choice is sent.
  const choose = useConfirmEmail(token)
  const error = choose.error ?? confirm.error
  if (!token) {
    return (
      <Notice level={1} title="Open the link in our mail">
        <p>
          We have mailed you a link that confirms your address. Your profile can send you another.
        </p>
        <ToProfile />
      </Notice>
    )
  }
  if (isTokenRefused(error)) return <Refused />
  if (error instanceof ApiError && error.first('email')) return <Taken />
  const opened = choose.data ?? confirm.data
  if (opened?.password_token) return <ResetPassword token={opened.password_token} />
  if (opened?.is_confirmed) return <Confirmed email={opened.email} />
  if (opened) {
    return (
      <WhoseAccount
        email={opened.email}
        access={opened.access}
        chosen={choose.isPending ? choose.variables : null}
        error={choose.error}
        onChoose={(choice) => choose.mutate(choice)}
      />
    )
  }
  return (
    <Notice level={1} title="Confirm your email address">
      <p>The link that you have opened shows that the address is yours.</p>
      <Form
        fields={NO_FIELDS}
        error={confirm.error}
        isBusy={confirm.isPending}
        onSend={() => confirm.mutate(null)}
      >
        <Submit>Confirm my email address</Submit>
      </Form>
    </Notice>
  )
}

interface WhoseProps {
  email: string
  access: Access
  /** The choice that is being sent. */
  chosen: AccessChoice | null
  error: Error | null
  onChoose: (choice: AccessChoice) => void
}

/** Asks whether the reader created the account, in a browser that is not signed in to it. */
export function WhoseAccount({ email, access, chosen, error, onChoose }: WhoseProps) {
  return (
    <Outcome title="Did you create this account?">
      <p>
        You are not logged in here, so somebody else may have created the account of <b>{email}</b>.
        These give access to it:
      </p>
      <AccessList access={access} />
      <p>If they are removed, every device is logged out, and you set a new password.</p>
      <div className={forms.actions}>
        <Button
          isBusy={chosen === 'keep'}
          isInert={chosen !== null}
          onClick={() => onChoose('keep')}
        >
          Yes, they are all mine
        </Button>
        <Button
          look="outline"
          isBusy={chosen === 'end'}
          isInert={chosen !== null}
          onClick={() => onChoose('end')}
        >
          No, remove them
        </Button>
      </div>
      <Failure error={error} />
    </Outcome>
  )
}

export function Confirmed({ email }: { email: string }) {
  return (
    <Outcome title="Your email address is confirmed">
      <p>
        It is <b>{email}</b>. Use it to log in.
      </p>
      <ToProfile />
    </Outcome>
  )
}

export function Refused() {
  return (
    <Outcome title="This link does not work any more">
      <p>
        It has expired or was used. If your address is not confirmed yet, log in and ask for another
        link in your profile.
      </p>
      <ToProfile />
    </Outcome>
  )
}

export function Taken() {
  return (
    <Outcome title="Another account has this address">
      <p>
        It was taken after we had sent you the link, so your account keeps the address that it had.
        Log in to choose another one in your profile.
      </p>
      <ToProfile />
    </Outcome>
  )
}

/** Links to the profile; a guest is redirected to the log-in page first. */
function ToProfile() {
  return <SiteLink href={HOME}>Go to your profile</SiteLink>
}
