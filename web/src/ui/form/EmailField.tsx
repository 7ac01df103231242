import { useState, type KeyboardEvent } from 'react'
import { isEmail } from './email'
import { TextField } from './TextField'

/** Maximum length of an email address. */
const EMAIL_MAX = 255

interface Props {
  label?: string
  defaultValue?: string
  autoComplete?: string
  placeholder?: string
}

/**
 * An invalid address only sets `aria-invalid`, until the reader types again; the form refuses it with a message.
 */
export function EmailField({
  label = 'Email',
  defaultValue,
  autoComplete = 'email',
  placeholder,
}: Props) {
  const [isInvalid, setInvalid] = useState(false)
  return (
    <TextField
      label={label}
      name="email"
      type="text"
      inputMode="email"
      autoComplete={autoComplete}
      autoCapitalize="none"
      spellCheck={false}
      maxLength={EMAIL_MAX}
      placeholder={placeholder}
      {...(defaultValue !== undefined && { defaultValue })}
      {...(isInvalid && { 'aria-invalid': true })}
      onChange={() => setInvalid(false)}
      onBlur={({ currentTarget: { value } }) => setInvalid(value !== '' && !isEmail(value))}
      onKeyDown={refuseUnmeantEnter}
    />
  )
}

/** Enter submits the form once; with Shift, or during composition, it does not. */
function refuseUnmeantEnter(event: KeyboardEvent<HTMLInputElement>): void {
  if (event.key !== 'Enter') return
  if (event.shiftKey || event.nativeEvent.isComposing) event.preventDefault()
}
