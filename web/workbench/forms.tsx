import type { ReactNode } from 'react'
import { ApiError } from '#/lib/http'
import { ReadableError } from '#/lib/readable-error'
import { CheckField } from '#/ui/form/CheckField'
import { ChoiceField } from '#/ui/form/ChoiceField'
import { EmailField } from '#/ui/form/EmailField'
import { Failure } from '#/ui/form/Failure'
import { FieldMessage } from '#/ui/form/FieldMessage'
import { Form, Submit } from '#/ui/form/Form'
import { TextAreaField } from '#/ui/form/TextAreaField'
import { TextField } from '#/ui/form/TextField'
import { Field } from '@base-ui/react/field'
import type { States } from './states'

const FIELDS = ['name', 'email', 'subject', 'message', 'agrees'] as const
const refusal = new ApiError(
  400,
  Object.fromEntries(FIELDS.map((name) => [name, ['This is not accepted.']])),
)
const nothing = (): void => {}

interface Options {
  error?: ApiError
  isBusy?: boolean
}

const inForm = (children: ReactNode, { error, isBusy = false }: Options = {}) => (
  <Form fields={FIELDS} error={error ?? null} isBusy={isBusy} onSend={nothing}>
    {children}
  </Form>
)

/** A field in its initial state, and after the server has refused its value. */
const field = (element: ReactNode) => ({
  ready: inForm(element),
  error: inForm(element, { error: refusal }),
})

/** The states of each component of src/ui/form. */
export const FORMS: States = {
  CheckField: field(<CheckField label="I accept the rules" name="agrees" />),
  ChoiceField: field(
    <ChoiceField label="Subject" name="subject" options={['One', 'Two']} defaultValue="One" />,
  ),
  EmailField: field(<EmailField />),
  Failure: { error: <Failure error={new ReadableError('It was not done. Please try again.')} /> },
  FieldMessage: {
    error: inForm(
      <Field.Root name="name">
        <Field.Control aria-label="Name" />
        <FieldMessage />
      </Field.Root>,
      { error: refusal },
    ),
  },
  Form: {
    ready: inForm(<Submit>Send</Submit>),
    loading: inForm(<Submit>Send</Submit>, { isBusy: true }),
    error: inForm(<Submit>Send</Submit>, { error: new ApiError(0) }),
  },
  TextAreaField: field(<TextAreaField label="Message" name="message" maxLength={1000} />),
  TextField: field(<TextField label="Name" name="name" />),
}
