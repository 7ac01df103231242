import { Button } from '#/ui/Button'
import { TextField } from '#/ui/form/TextField'
import { StatusBadge } from './StatusBadge'
import { isWorthAnotherTry, uploadErrors } from './upload-errors'
import styles from './UploadItem.module.css'
import type { Upload, Uploads } from './uploads'
import { STATUSES } from './words'

const MAX_DESCRIPTION = 1000

interface Props {
  upload: Upload
  uploads: Uploads
}

/** A chosen, running or finished upload with its actions. */
export function UploadItem({ upload, uploads }: Props) {
  const { id, file, preview, description, state } = upload
  const off = state.is === 'queued' || state.is === 'sending' ? 'Cancel' : 'Remove'
  const isOpen = state.is === 'chosen' || state.is === 'failed'
  return (
    <li className={styles.item} aria-label={file.name}>
      <div className={styles.preview}>{preview !== null && <img src={preview} alt="" />}</div>
      <div className={styles.body}>
        <p className={styles.name}>{file.name}</p>
        {isOpen ? (
          <TextField
            label="Description"
            name={`description-${id}`}
            autoComplete="off"
            maxLength={MAX_DESCRIPTION}
            defaultValue={description}
            onChange={(event) => uploads.describe(id, event.target.value)}
          />
        ) : (
          description && <p>{description}</p>
        )}
        <State upload={upload} />
        <div className={styles.actions}>
          {state.is === 'failed' && isWorthAnotherTry(state.error) && (
            <Button
              look="outline"
              aria-label={`Try again: ${file.name}`}
              onClick={() => uploads.retry(id)}
            >
              Try again
            </Button>
          )}
          {state.is !== 'sent' && (
            <Button
              look="quiet"
              aria-label={`${off}: ${file.name}`}
              onClick={() => uploads.remove(id)}
            >
              {off}
            </Button>
          )}
        </div>
      </div>
    </li>
  )
}

function State({ upload: { file, state } }: Pick<Props, 'upload'>) {
  switch (state.is) {
    case 'chosen':
      return null
    case 'queued':
      return <p className={styles.note}>Waiting to upload.</p>
    case 'sending':
      return (
        <div className={styles.progress}>
          <progress value={state.share} max={1} aria-label={`Sending ${file.name}`} />
          <span>{Math.round(state.share * 100)}%</span>
        </div>
      )
    case 'unfit':
      return <Problems messages={[state.problem]} />
    case 'failed':
      return <Problems messages={uploadErrors(state.error)} />
    case 'sent':
      return (
        <p className={styles.note}>
          <StatusBadge status={state.photo.status} /> {STATUSES[state.photo.status].text}
        </p>
      )
  }
}

function Problems({ messages }: { messages: readonly string[] }) {
  return (
    <div role="alert">
      {messages.map((message) => (
        <p key={message} className={styles.error}>
          {message}
        </p>
      ))}
    </div>
  )
}
