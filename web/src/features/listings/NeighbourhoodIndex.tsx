import { grouped } from '#/lib/words'
import type { Neighbourhood } from '#/api/types'
import { Counted } from '#/ui/Counted'
import { SiteLink } from '#/ui/SiteLink'
import styles from './NeighbourhoodIndex.module.css'

interface Props {
  neighbourhoods: readonly Neighbourhood[]
}

/** All neighbourhoods by letter. */
export function NeighbourhoodIndex({ neighbourhoods }: Props) {
  return (
    <div className={styles.index}>
      {byLetter(neighbourhoods).map(([letter, rows]) => (
        <section key={letter} className={styles.group} aria-labelledby={`letter-${letter}`}>
          <h2 className={styles.letter} id={`letter-${letter}`}>
            {letter}
          </h2>
          <ul>
            {rows.map((row) => (
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
        </section>
      ))}
    </div>
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

function byLetter(rows: readonly Neighbourhood[]): [string, Neighbourhood[]][] {
  const groups = new Map<string, Neighbourhood[]>()
  for (const row of rows) {
    // Slugs have no accents.
    const first = row.slug.charAt(0).toUpperCase()
    const letter = /[A-Z]/.test(first) ? first : '#'
    groups.set(letter, [...(groups.get(letter) ?? []), row])
  }
  return [...groups]
}
