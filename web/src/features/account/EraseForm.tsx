import { useFacebook, useFacebookReturn } from '#/features/auth/facebook'
import { FacebookLink } from '#/features/auth/FacebookLink'
import { usePasskeys } from '#/features/auth/passkeys'
import { isStatus } from '#/lib/http'
import { currentPath } from '#/lib/site-path'
import { Button } from '#/ui/Button'
import { Form, Submit } from '#/ui/form/Form'
import { TextField } from '#/ui/form/TextField'
import { ExportButton } from './ExportButton'
import { Failure } from '#/ui/form/Failure'
import styles from './forms.module.css'
import { useEraseAccount, useEraseByPasskey } from './mutations'
import data from './YourData.module.css'

const FIELDS = ['current_password'] as const

interface Props {
  hasPassword: boolean
  /** Whether a passkey of the account can prove the reader's identity. */
  hasPasskey: boolean
  /** Whether Facebook can prove the reader's identity. */
  hasFacebook: boolean
}

/** Deletes the account once the reader has entered the password, used a passkey or come back from Facebook. */
export function EraseForm({ hasPassword, hasPasskey, hasFacebook }: Props) {
  const byPasskey = usePasskeys() && hasPasskey
  const byFacebook = useFacebook() && hasFacebook
  return (
    <>
      <div className={data.warning}>
        <p>
          Your account goes at once, and everything that you have saved and rated within a minute.
          This cannot be undone.
        </p>
        <p>
          We mail you a signed receipt of what was deleted. You can read it for 30 days. If you want
          to keep your data, download it first.
        </p>
        <ExportButton />
      </div>
      {hasPassword && <ByPassword />}
      {byPasskey && <ByPasskey isOnly={!hasPassword} />}
      {byFacebook && <ByFacebook isOnly={!hasPassword && !byPasskey} />}
      {!hasPassword && !byPasskey && !byFacebook && (
        <p className={styles.form}>
          Your account has no password. Open this page where your passkey works, or set a password
          first.
        </p>
      )}
    </>
  )
}

function ByPassword() {
  const erase = useEraseAccount()
  return (
    <Form
      className={styles.form}
      fields={FIELDS}
      error={erase.error}
      prefix="* "
      // After a success the next page is loading.
      isBusy={erase.isPending || erase.isSuccess}
      onSend={(body) => erase.mutate(body)}
    >
      <TextField
        label="Current password"
        name="current_password"
        type="password"
        autoComplete="current-password"
        maxLength={128}
      />
      <Submit look="danger">Delete my account</Submit>
    </Form>
  )
}

function ByPasskey({ isOnly }: { isOnly: boolean }) {
  const erase = useEraseByPasskey()
  return (
    <div className={styles.form}>
      <Button
        look={isOnly ? 'danger' : 'outline'}
        isBusy={erase.isPending || erase.isSuccess}
        onClick={() => erase.mutate(undefined)}
      >
        {isOnly ? 'Delete my account' : 'Confirm by a passkey instead'}
      </Button>
      <Failure error={erase.error} />
    </div>
  )
}

/** Deletes the account if Facebook has just confirmed the reader; otherwise links to Facebook, which returns here. */
function ByFacebook({ isOnly }: { isOnly: boolean }) {
  const erase = useEraseAccount()
  const { isConnected } = useFacebookReturn()
  const isOver = isStatus(erase.error, 400)
  return (
    <div className={styles.form}>
      {isConnected && !isOver ? (
        <Button
          look="danger"
          isBusy={erase.isPending || erase.isSuccess}
          onClick={() => erase.mutate({ current_password: '' })}
        >
          Delete my account
        </Button>
      ) : (
        <>
          {isOver ? (
            <p role="alert">What Facebook confirms holds for five minutes. Please confirm again.</p>
          ) : (
            isOnly && (
              <p>Facebook has to confirm that it is you. Then come back to this question.</p>
            )
          )}
          <FacebookLink to={{ next: currentPath() }}>
            {isOnly ? 'Confirm with Facebook' : 'Confirm with Facebook instead'}
          </FacebookLink>
        </>
      )}
      <Failure error={isOver ? null : erase.error} />
    </div>
  )
}
