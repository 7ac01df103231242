import { grouped } from '#/lib/words'
import type { Neighbourhood } from '#/api/types'
import { Counted } from '#/ui/Counted'
import { SiteLink } from '#/ui/SiteLink'
import styles from './NeighbourhoodIndex.module.css'

interface Props {
  neighbourhoods: readonly Neighbourhood[]
}

/** Up to this number of neighbourhoods, an index needs no letters. */
const MAX_WITHOUT_LETTERS = 30

/** All neighbourhoods in alphabetical order; by letter if there are many. */
export function NeighbourhoodIndex({ neighbourhoods }: Props) {
  const rows = neighbourhoods.toSorted((one, other) => (sortKey(one) < sortKey(other) ? -1 : 1))
  if (rows.length <= MAX_WITHOUT_LETTERS) {
    return (
      <div className={styles.index}>
        <Rows neighbourhoods={rows} />
      </div>
    )
  }
  return (
    <div className={styles.index}>
      {byLetter(rows).map(([letter, ofLetter]) => (
        <section key={letter} className={styles.group} aria-labelledby={`letter-${letter}`}>
          <h2 className={styles.letter} id={`letter-${letter}`}>
            {letter}
          </h2>
          <Rows neighbourhoods={ofLetter} />
        </section>
      ))}
    </div>
  )
}

function Rows({ neighbourhoods }: Props) {
  return (
    <ul>
      {neighbourhoods.map((row) => (
        <li key={row.id}>
          <Counted
            href={row.share_url}
            name={row.name}
            count={row.count}
            unit={['place', 'places']}
          />
        </li>
      ))}
    </ul>
  )
}

/** The neighbourhoods with the most places, in large type. */
export function NeighbourhoodParagraph({ neighbourhoods }: Props) {
  return (
    <ul className={styles.paragraph}>
      {neighbourhoods.map((row) => (
        <li key={row.id}>
          <SiteLink href={row.share_url}>{row.name}</SiteLink>
          <sup>
            {grouped(row.count)}
            <span className="visually-hidden"> places</span>
          </sup>
        </li>
      ))}
    </ul>
  )
}

/** The slug, which has no accents, without an article: The Annex is listed under A. */
function sortKey({ slug }: Neighbourhood): string {
  return slug.replace(/^the-/, '')
}

function byLetter(rows: readonly Neighbourhood[]): [string, Neighbourhood[]][] {
  const groups = new Map<string, Neighbourhood[]>()
  for (const row of rows) {
    const first = sortKey(row).charAt(0).toUpperCase()
    const letter = /[A-Z]/.test(first) ? first : '#'
    groups.set(letter, [...(groups.get(letter) ?? []), row])
  }
  return [...groups]
}
