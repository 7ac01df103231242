import { useState } from 'react'
import { useKeepInput } from '#/features/session/current'
import { announce } from '#/ui/Announcer'
import { Button } from '#/ui/Button'
import { Dialog } from '#/ui/Dialog'
import { ChoiceField } from '#/ui/form/ChoiceField'
import { Form, Submit } from '#/ui/form/Form'
import { TextAreaField } from '#/ui/form/TextAreaField'
import { useReportPhoto } from './mutations'
import styles from './ReportPhoto.module.css'
import type { ReportReason } from './types'
import { REASONS } from './words'

const FIELDS = ['reason', 'comment'] as const
const MAX_COMMENT = 1000
const OPTIONS = Object.entries(REASONS).map(([value, label]) => ({ value, label }))
const THANKS = 'Thank you. We’ll take a look.'

/** Reports a photo to the editors. */
export function ReportPhoto({ id }: { id: number }) {
  const [isOpen, setOpen] = useState(false)
  const report = useReportPhoto(id)
  const close = (): void => setOpen(false)
  useKeepInput(isOpen)
  if (report.isSuccess && !isOpen) return <p>{THANKS}</p>
  return (
    <>
      <Button look="outline" onClick={() => setOpen(true)}>
        Report this photo
      </Button>
      <Dialog title="What is wrong with it?" isOpen={isOpen} onClose={close}>
        <Form
          className={styles.form}
          fields={FIELDS}
          error={report.error}
          isBusy={report.isPending}
          onSend={({ reason, comment }) =>
            report.mutate(
              { reason: reason as ReportReason, comment },
              {
                onSuccess: () => {
                  announce(THANKS)
                  close()
                },
              },
            )
          }
        >
          <ChoiceField
            label="Reason"
            name="reason"
            options={OPTIONS}
            defaultValue="not-this-place"
          />
          <TextAreaField label="Anything else?" name="comment" maxLength={MAX_COMMENT} />
          <Submit>Send the report</Submit>
        </Form>
      </Dialog>
    </>
  )
}
