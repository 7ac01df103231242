import { useSyncExternalStore } from 'react'
import { Emitter } from '#/lib/emitter'

/** Whether saved events are added to the reader's own calendar; undefined if the reader has not decided. */
export type CalendarAnswer = boolean | undefined

interface Question {
  answer: (answer: CalendarAnswer) => void
}

const question = new Emitter<Question | null>(null)

/** Opens the dialog and waits for the answer. A dialog that is already open is closed undecided. */
export function askForCalendar(): Promise<CalendarAnswer> {
  closeCalendarQuestion(undefined)
  return new Promise((answer) => question.set({ answer }))
}

export function closeCalendarQuestion(answer: CalendarAnswer): void {
  const open = question.get()
  question.set(null)
  open?.answer(answer)
}

export function useCalendarQuestion(): boolean {
  return useSyncExternalStore(question.subscribe, question.get) !== null
}
