import { useSite } from '#/features/site/site'
import { formatDate } from '#/lib/time'
import { dayIn } from '#/lib/zone'
import { ConsentButtons } from './ConsentButtons'
import { useConsent, type Consent } from './consent'
import styles from './ConsentSection.module.css'

/** The reader's choice about other companies, with the buttons that change it. */
export function ConsentSection() {
  const { consent: question, timezone } = useSite()
  const consent = useConsent()
  return (
    <section className={styles.section} aria-labelledby="other-companies">
      <h2 className={styles.title} id="other-companies">
        Content of other companies
      </h2>
      <p>{question.wording}</p>
      <p>
        What the site needs, such as keeping you logged in, works whatever you choose. Without
        JavaScript nothing of other companies is loaded.
      </p>
      <div className={styles.choice}>
        <p role="status">{inWords(consent, question.asks, timezone)}</p>
        {consent.signal === null && <ConsentButtons choice={consent.choice} />}
      </div>
    </section>
  )
}

function inWords({ choice, chosenAt, signal }: Consent, asks: boolean, zone: string): string {
  if (signal !== null) {
    return `Your browser asks us not to share what you do with others (${signal}); we treat it as a refusal. To choose here, switch that off in your browser.`
  }
  const day = chosenAt === null ? '' : formatDate(dayIn(zone, chosenAt))
  if (choice === 'all') return `You accepted all on ${day}.`
  if (choice === 'needed') return `You chose only what is needed on ${day}.`
  return asks
    ? 'You have not chosen yet. Nothing of other companies is loaded before you do.'
    : 'You have not chosen. Content of other companies may be loaded until you refuse.'
}
