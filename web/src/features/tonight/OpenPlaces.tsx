import { SiteLink } from '#/ui/SiteLink'
import { distanceInWords } from './distance'
import { hoursInWords, type Evening, type ShownPlace } from './evening'
import styles from './OpenPlaces.module.css'

interface Props {
  evening: Evening
  places: readonly ShownPlace[]
}

/** Open places with their hours; places that have just closed are crossed out. */
export function OpenPlaces({ evening, places }: Props) {
  return (
    <ul className={styles.list}>
      {places.map((shown) => (
        <li key={shown.place.id}>
          <Row evening={evening} shown={shown} />
        </li>
      ))}
    </ul>
  )
}

function Row({ evening, shown }: { evening: Evening; shown: ShownPlace }) {
  const { place, state, metres } = shown
  const meta = [
    place.kind,
    place.neighbourhood?.name,
    metres !== undefined && distanceInWords(metres),
  ].filter(Boolean)
  return (
    <article className={state === 'open' ? styles.row : `${styles.row} ${styles[state]}`}>
      <h3 className={styles.name}>
        <SiteLink href={place.share_url}>{place.name}</SiteLink>
      </h3>
      <p className={styles.hours}>{hoursInWords(evening, shown)}</p>
      <p className={styles.meta}>{meta.join(' · ')}</p>
      {place.line && <p className={styles.line}>{place.line}</p>}
    </article>
  )
}
