import { render, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { useState } from 'react'
import { expect, it, vi } from 'vitest'
import { ApiError } from '#/lib/http'
import { CheckField } from './CheckField'
import { Form, Submit } from './Form'
import { TextField } from './TextField'

const FIELDS = ['first', 'second', 'agrees', 'absent'] as const
const refusal = (body: Record<string, string[]>) => new ApiError(400, body)

/** A form whose server gives these answers in order, each after a moment. */
function show(...answers: (ApiError | null)[]) {
  const sent = vi.fn<(values: Record<string, string>) => void>()
  function Sample() {
    const [error, setError] = useState<ApiError | null>(null)
    const [isBusy, setBusy] = useState(false)
    const send = (values: Record<string, string>): void => {
      sent(values)
      setError(null)
      setBusy(true)
      setTimeout(() => {
        setBusy(false)
        setError(answers.shift() ?? null)
      })
    }
    return (
      <Form fields={FIELDS} error={error} blank={BLANK} prefix="* " isBusy={isBusy} onSend={send}>
        <TextField label="First" name="first" />
        <TextField
          label="Second"
          name="second"
          validate={(second, { first }) => (second === first ? null : 'They differ.')}
        />
        <CheckField label="I agree" name="agrees" />
        <Submit>Send</Submit>
      </Form>
    )
  }
  render(<Sample />)
  return sent
}

const BLANK = { first: 'Enter the first.' }
const field = (name: string) => screen.getByRole('textbox', { name })
const send = () => userEvent.click(screen.getByRole('button', { name: 'Send' }))

it('sends the value of each field, and an empty one for a missing field', async () => {
  const sent = show(null, null)
  await userEvent.type(field('First'), 'a')
  await userEvent.type(field('Second'), 'a')
  await send()
  expect(sent).toHaveBeenLastCalledWith({ first: 'a', second: 'a', agrees: '', absent: '' })
  await userEvent.click(screen.getByRole('checkbox', { name: 'I agree' }))
  await send()
  await waitFor(() =>
    expect(sent).toHaveBeenLastCalledWith({ first: 'a', second: 'a', agrees: 'on', absent: '' }),
  )
})

it('focuses the first invalid field after each refusal, and shows the message there', async () => {
  const blank = 'This field may not be blank.'
  show(refusal({ second: [blank], first: [blank] }), refusal({ agrees: ['Accept them.'] }))
  await send()
  await waitFor(() => expect(field('First')).toHaveFocus())
  expect(field('First')).toHaveAccessibleDescription('* Enter the first.')
  expect(field('Second')).toHaveAccessibleDescription(`* ${blank}`)

  await send()
  const box = screen.getByRole('checkbox', { name: 'I agree' })
  await waitFor(() => expect(box).toHaveFocus())
  expect(box).toHaveAccessibleDescription('* Accept them.')
  expect(box).toBeInvalid()
  expect(field('First')).toBeValid()
  await userEvent.click(box)
  expect(box).toBeValid()
})

it('asks the server again when only time has passed', async () => {
  const sent = show(refusal({ first: ['Taken.'] }), null)
  await send()
  await waitFor(() => expect(field('First')).toBeInvalid())
  await send()
  await waitFor(() => expect(sent).toHaveBeenCalledTimes(2))
  expect(field('First')).toBeValid()
})

it('sends nothing while its own validation fails, whichever of the two fields is corrected', async () => {
  const sent = show(null)
  await userEvent.type(field('Second'), 'a')
  await send()
  expect(field('Second')).toHaveAccessibleDescription('They differ.')
  expect(field('Second')).toHaveFocus()
  expect(sent).not.toHaveBeenCalled()
  await userEvent.type(field('First'), 'a')
  await send()
  expect(sent).toHaveBeenCalledOnce()
})

it('shows a message that belongs to no field above the button', async () => {
  show(refusal({ elsewhere: ['No.'], detail: ['Closed.'] }))
  await send()
  expect(await screen.findByRole('alert')).toHaveTextContent('* Closed.')
})
