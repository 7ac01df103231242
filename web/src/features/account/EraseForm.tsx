import { Form, Submit } from '#/ui/form/Form'
import { TextField } from '#/ui/form/TextField'
import { ExportButton } from './ExportButton'
import styles from './forms.module.css'
import { useEraseAccount } from './mutations'
import data from './YourData.module.css'

const FIELDS = ['current_password'] as const

/** Deletes the account, once the reader has given the password. */
export function EraseForm() {
  const erase = useEraseAccount()
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
      <Form
        className={styles.form}
        fields={FIELDS}
        error={erase.error}
        prefix="* "
        // The next page is on its way after a success.
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
    </>
  )
}
