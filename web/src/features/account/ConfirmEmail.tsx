import { HOME } from '#/features/dashboard/sections'
import { ApiError } from '#/lib/http'
import { Form, Submit } from '#/ui/form/Form'
import { Notice } from '#/ui/Notice'
import { SiteLink } from '#/ui/SiteLink'
import { isTokenRefused } from './mailed-link'
import { useConfirmEmail } from './mutations'
import { Outcome } from './Outcome'

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
  if (confirm.isSuccess) return <Confirmed email={confirm.data.email} />
  if (isTokenRefused(confirm.error)) return <Refused />
  if (confirm.error instanceof ApiError && confirm.error.first('email')) return <Taken />
  return (
    <Notice level={1} title="Confirm your email address">
      <p>The link that you have opened shows that the address is yours.</p>
      <Form
        fields={NO_FIELDS}
        error={confirm.error}
        isBusy={confirm.isPending}
        onSend={() => confirm.mutate()}
      >
        <Submit>Confirm my email address</Submit>
      </Form>
    </Notice>
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

/** A guest is redirected to the log-in page first. */
function ToProfile() {
  return <SiteLink href={HOME}>To your profile</SiteLink>
}
