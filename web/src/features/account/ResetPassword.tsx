import { useQuery } from '@tanstack/react-query'
import type { Access } from '#/api/types'
import { openLogin, openReset } from '#/features/auth/dialogs'
import { NewPassword } from '#/features/auth/NewPassword'
import { HOME } from '#/features/dashboard/address'
import { Button } from '#/ui/Button'
import { Form, Submit } from '#/ui/form/Form'
import { Notice } from '#/ui/Notice'
import { PageHead } from '#/ui/PageHead'
import { AccessList } from './AccessList'
import styles from './forms.module.css'
import { isTokenRefused } from './mailed-link'
import { useConfirmReset } from './mutations'
import { Outcome } from './Outcome'
import { resetLinkOptions } from './queries'

const FIELDS = ['new_password', 'password_repeat'] as const

/** Focuses the first field immediately, because the page exists only for its form. */
function focusFirstField(form: HTMLElement | null): void {
  form?.querySelector('input')?.focus()
}

interface Props {
  /** The token of the mailed link, or an empty string. */
  token: string
  /** Whether the link also restores the address that it was sent to, after another address has replaced it. */
  isUndo?: boolean
}

/** Sets a new password by a mailed link. */
export function ResetPassword({ token, isUndo = false }: Props) {
  const link = useQuery(resetLinkOptions(token))
  const reset = useConfirmReset(token)
  if (!token) {
    return (
      <Notice level={1} title="Set a new password">
        <p>We mail you a link for it. If you have one already, please open it again.</p>
        <Button onClick={() => openReset(HOME)}>Send me a link</Button>
      </Notice>
    )
  }
  if (reset.isSuccess) return <Changed {...reset.data} isUndo={isUndo} />
  if (isTokenRefused(reset.error) || link.data?.is_valid === false)
    return <Expired isUndo={isUndo} />
  return (
    <>
      <PageHead
        title={isUndo ? 'Restore your email address' : 'Choose a new password'}
        deck={
          isUndo
            ? 'The address that this link was sent to becomes the address of your account again. Choose a new password for it: every device is logged out, and all other ways to log in are removed.'
            : 'It logs you out on every device.'
        }
      />
      <div ref={focusFirstField}>
        <Form
          className={styles.onPage}
          fields={FIELDS}
          error={reset.error}
          prefix="* "
          isBusy={reset.isPending}
          onSend={({ new_password: password }) => reset.mutate(password)}
        >
          <NewPassword
            label="New password"
            name="new_password"
            repeatLabel="Repeat the new password"
          />
          <Submit>{isUndo ? 'Restore the address' : 'Save the new password'}</Submit>
        </Form>
      </div>
    </>
  )
}

interface ChangedProps {
  email: string
  /** Everything that gives access to the account now. */
  access: Access
  isUndo?: boolean
}

export function Changed({ email, access, isUndo = false }: ChangedProps) {
  const others = { ...access, has_password: false }
  const { passkeys, ...rest } = others
  const hasOthers = passkeys.length > 0 || Object.values(rest).some(Boolean)
  return (
    <Outcome title={isUndo ? 'Your email address is restored' : 'Your password is changed'}>
      <p>
        The account of <b>{email}</b> is logged out on every device. Log in with the new password.
      </p>
      {hasOthers && (
        <>
          <p>
            These still give access to the account. If you do not know one of them, remove it in
            your profile.
          </p>
          <AccessList access={others} />
        </>
      )}
      <Button onClick={() => openLogin(undefined, HOME)}>Log in</Button>
    </Outcome>
  )
}

export function Expired({ isUndo = false }: { isUndo?: boolean }) {
  return (
    <Outcome title="This link does not work any more">
      <p>
        A link works once, and for {isUndo ? 'seven days' : 'one hour'}: this one has expired or was
        used.
      </p>
      {!isUndo && <Button onClick={() => openReset(HOME)}>Send me another link</Button>}
    </Outcome>
  )
}
