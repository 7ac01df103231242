import { isStatus } from '#/lib/http'
import { announce } from '#/ui/Announcer'
import { Button } from '#/ui/Button'
import { useExport } from './mutations'
import styles from './YourData.module.css'

/** Downloads all stored data of the reader. */
export function ExportButton() {
  const download = useExport()
  return (
    <div className={styles.export}>
      <Button
        look="outline"
        isBusy={download.isPending}
        onClick={() =>
          download.mutate(undefined, { onSuccess: () => announce('Your data is downloaded.') })
        }
      >
        Download your data
      </Button>
      {download.isError && <ExportFailed isTooOften={isStatus(download.error, 429)} />}
    </div>
  )
}

export function ExportFailed({ isTooOften }: { isTooOften: boolean }) {
  return (
    <p className={styles.error} role="alert">
      {isTooOften
        ? 'You have downloaded it several times just now. Please try again in a quarter of an hour.'
        : 'Your data could not be downloaded. Please try again.'}
    </p>
  )
}
