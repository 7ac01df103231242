import { useSyncExternalStore } from 'react'
import { Emitter } from '#/lib/emitter'

/** Whether saved events go to the reader's own calendar; undefined if the reader has not decided. */
export type Answer = boolean | undefined

interface Question {
  answer: (answer: Answer) => void
}

const question = new Emitter<Question | null>(null)

/** Opens the dialog and waits for its reader. A question that is open already is closed undecided. */
export function askForCalendar(): Promise<Answer> {
  closeCalendarQuestion(undefined)
  return new Promise((answer) => question.set({ answer }))
}

export function closeCalendarQuestion(answer: Answer): void {
  const open = question.get()
  question.set(null)
  open?.answer(answer)
}

export function useCalendarQuestion(): boolean {
  return useSyncExternalStore(question.subscribe, question.get) !== null
}
