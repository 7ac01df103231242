import { useState, type KeyboardEvent } from 'react'
import { TextField } from '#/ui/TextField'
import { EMAIL_MAX, looksLikeEmail } from './form-errors'

interface Props {
  value: string
  onChange: (value: string) => void
  message: string | undefined
}

/** An invalid address sets only `aria-invalid`, until the reader types again. */
export function EmailField({ value, onChange, message }: Props) {
  const [isInvalid, setInvalid] = useState(false)
  return (
    <TextField
      label="Email"
      name="email"
      type="text"
      inputMode="email"
      autoComplete="email"
      autoCapitalize="none"
      spellCheck={false}
      maxLength={EMAIL_MAX}
      value={value}
      message={message}
      isInvalid={isInvalid}
      onChange={(event) => {
        setInvalid(false)
        onChange(event.target.value)
      }}
      onBlur={() => setInvalid(value !== '' && !looksLikeEmail(value))}
      onKeyDown={refuseUnmeantEnter}
    />
  )
}

/** Enter submits the form once; with Shift, or while a word is being composed, it does not. */
function refuseUnmeantEnter(event: KeyboardEvent<HTMLInputElement>): void {
  if (event.key !== 'Enter') return
  if (event.shiftKey || event.nativeEvent.isComposing) event.preventDefault()
}
