import { createContext, use } from 'react'

interface State {
  isBusy: boolean
  isInert: boolean
  /** The message that belongs to no field. */
  message: string | undefined
}

export const FormState = createContext<State>({ isBusy: false, isInert: false, message: undefined })

export function useFormState(): State {
  return use(FormState)
}
