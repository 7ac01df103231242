import type { Receipt as ReceiptData } from '#/api/types'
import { useSite } from '#/features/site/site'
import { saveFile } from '#/lib/save-file'
import { formatMoment, parseInstant } from '#/lib/time'
import { grouped } from '#/lib/words'
import { Button } from '#/ui/Button'
import { Fact, Facts } from '#/ui/Facts'
import { PageHead } from '#/ui/PageHead'
import styles from './Receipt.module.css'
import { kindInWords } from './receipt-words'

/** The site's signed statement of the data that was deleted with an account. */
export function Receipt({ receipt }: { receipt: ReceiptData }) {
  const { timezone } = useSite()
  const { statement } = receipt
  const at = (text: string): string => formatMoment(parseInstant(text), timezone)
  const download = (): void => {
    const text = JSON.stringify(receipt, null, 2)
    saveFile(`receipt-${statement.account}.json`, new Blob([text], { type: 'application/json' }))
  }
  return (
    <>
      <PageHead
        title="Your account is deleted"
        deck="This receipt says what was deleted with it."
      />
      <div className={styles.facts}>
        <Facts>
          <Fact name="Site">{statement.site}</Fact>
          <Fact name="Account">Number {statement.account}</Fact>
          <Fact name="You asked">{at(statement.requested_at)}</Fact>
          <Fact name="It was done">{at(statement.erased_at)}</Fact>
        </Facts>
      </div>
      <section className={styles.section} aria-labelledby="erased">
        <h2 className={styles.title} id="erased">
          What was deleted
        </h2>
        <table className={styles.table}>
          <tbody>
            {statement.erased.map(({ kind, count }) => (
              <tr key={kind}>
                <th scope="row">{kindInWords(kind)}</th>
                <td>{grouped(count)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </section>
      <section className={styles.section} aria-labelledby="kept">
        <h2 className={styles.title} id="kept">
          What is kept
        </h2>
        {statement.kept.map(({ kind, reason, until }) => (
          <div key={kind} className={styles.kept}>
            <p>{reason}</p>
            <p>Until {at(until)}</p>
          </div>
        ))}
      </section>
      <section className={styles.section} aria-label="Keep it">
        <p className={styles.note}>
          The file holds a signature, by which the publisher of this site can tell a genuine receipt
          for good.
        </p>
        <Button onClick={download}>Download the receipt</Button>
      </section>
    </>
  )
}
