import { Button } from '#/ui/Button'
import { Dialog } from '#/ui/Dialog'
import { Failure } from '#/ui/form/Failure'
import styles from './Calendar.module.css'
import { useChooseCalendar } from './mutations'
import { closeCalendarQuestion, useCalendarQuestion } from './question'

/** Asks once whether to add saved events to the reader's calendar. Closing it stores and saves nothing. */
export default function CalendarDialog() {
  const isOpen = useCalendarQuestion()
  return (
    <Dialog
      title="Save to calendar"
      isOpen={isOpen}
      onClose={() => closeCalendarQuestion(undefined)}
    >
      <CalendarChoice />
    </Dialog>
  )
}

function CalendarChoice() {
  const choose = useChooseCalendar()
  const decide = (isWanted: boolean): void =>
    choose.mutate(isWanted, { onSuccess: () => closeCalendarQuestion(isWanted) })
  const isChosen = (isWanted: boolean): boolean => choose.isPending && choose.variables === isWanted
  return (
    <>
      <p>
        Add the events that you save to your Google calendar too? You can change your answer in your
        dashboard at any time.
      </p>
      <Failure error={choose.error} />
      <div className={styles.actions}>
        <Button isBusy={isChosen(true)} onClick={() => decide(true)}>
          Yes, add them
        </Button>
        <Button look="outline" isBusy={isChosen(false)} onClick={() => decide(false)}>
          No, save them here only
        </Button>
      </div>
    </>
  )
}
