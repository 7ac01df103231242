import { TextField } from '#/ui/form/TextField'

// oxlint-disable-next-line cityguide/no-straight-apostrophe -- The specification prescribes the text.
const MISMATCH = "* The two passwords fields didn't match."

interface Props {
  label: string
  name: string
  repeatLabel: string
}

/** A new password and its repetition. The form sends nothing while they differ. */
export function NewPassword({ label, name, repeatLabel }: Props) {
  return (
    <>
      <TextField
        label={label}
        name={name}
        type="password"
        autoComplete="new-password"
        maxLength={128}
      />
      <TextField
        label={repeatLabel}
        name="password_repeat"
        type="password"
        autoComplete="new-password"
        maxLength={128}
        validate={(repeat, values) => (repeat === values[name] ? null : MISMATCH)}
      />
    </>
  )
}
