import { Form as Base } from '@base-ui/react/form'
import { useMemo, useState, type ComponentProps, type ReactNode } from 'react'
import { flushSync } from 'react-dom'
import { ApiError } from '#/lib/http'
import { Button } from '#/ui/Button'
import { isEmail } from './email'
import styles from './Form.module.css'
import { FormState, useFormState } from './form-state'
import { BLANK, formErrors } from './errors'

interface Props<Name extends string> {
  className?: string | undefined
  'aria-label'?: string
  /** The names of the form's fields, which the server's errors use too. */
  fields: readonly Name[]
  /** The server's refusal of the last submission, or null. */
  error: unknown
  /** The form's own messages for blank fields. */
  blank?: Partial<Record<NoInfer<Name>, string>>
  /** Whether a blank email is refused here; otherwise the server decides. */
  needsEmail?: boolean
  /** Precedes each of the server's messages. */
  prefix?: string
  isBusy: boolean
  /** Whether it sends nothing, for example while another way to log in is under way. */
  isInert?: boolean
  /** Receives the value of each field: empty for a field that is not shown and for an unticked box. */
  onSend: (values: Record<Name, string>) => void
  children: ReactNode
}

const NONE: Record<string, string> = {}
/** The server's words. */
const INVALID_EMAIL = 'Enter a valid email address.'

/**
 * A form whose fields the server validates: it shows each of the server's messages at the field of that name until
 * the field is changed, and focuses the first of them. An invalid email is not sent.
 */
export function Form<Name extends string>({
  fields,
  error,
  blank,
  needsEmail = false,
  prefix = '',
  isBusy,
  isInert = false,
  onSend,
  children,
  ...rest
}: Props<Name>) {
  const [dismissed, setDismissed] = useState<unknown>(null)
  const [refusal, setRefusal] = useState<ApiError | null>(null)
  const current = refusal ?? (error === dismissed ? null : error)
  const shown = useMemo(() => formErrors(current, fields, blank), [current, fields, blank])
  // Base UI focuses an invalid field at the first change of `errors` after a submission: without
  // messages they must stay the same object until the server has answered.
  const messages = useMemo(() => {
    const entries = Object.entries(shown.fields)
    if (entries.length === 0) return NONE
    return Object.fromEntries(entries.map(([name, message]) => [name, prefix + message]))
  }, [shown, prefix])
  const state = useMemo(
    () => ({ isBusy, isInert, message: shown.other && prefix + shown.other }),
    [isBusy, isInert, shown, prefix],
  )

  return (
    <Base<Record<string, unknown>>
      {...rest}
      errors={messages}
      // Base UI submits nothing while a field has an error, but only the server knows whether its
      // errors still apply: another field's value or time may have resolved them.
      onSubmitCapture={() =>
        flushSync(() => {
          setDismissed(error)
          setRefusal(null)
        })
      }
      onFormSubmit={(values) => {
        if (isBusy || isInert) return
        const entries = fields.map((name) => [name, values[name] ?? ''])
        const sent = Object.fromEntries(entries) as Record<Name, string>
        const refused = refusalOf(sent, needsEmail)
        if (refused) setRefusal(refused)
        else onSend(sent)
      }}
    >
      <FormState value={state}>{children}</FormState>
    </Base>
  )
}

/** Refuses an invalid email as the server would; undefined for values that can be sent. */
function refusalOf(
  { email }: Partial<Record<string, string>>,
  needsEmail: boolean,
): ApiError | undefined {
  const text = email?.trim()
  if (text === '' && needsEmail) return new ApiError(400, { email: [BLANK] })
  if (text && !isEmail(text)) return new ApiError(400, { email: [INVALID_EMAIL] })
  return undefined
}

type SubmitProps = Pick<ComponentProps<typeof Button>, 'look' | 'className' | 'children'>

/** The submit button, below the message that belongs to no field. */
export function Submit(props: SubmitProps) {
  const { isBusy, isInert, message } = useFormState()
  return (
    <>
      {message && (
        <p className={styles.error} role="alert">
          {message}
        </p>
      )}
      <Button {...props} type="submit" isBusy={isBusy} isInert={isInert} />
    </>
  )
}
