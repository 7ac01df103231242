import type { Listing } from '#/api/types'
import { Opening } from '#/features/grid/Opening'
import { SectionHeading } from '#/ui/SectionHeading'
import { SiteLink } from '#/ui/SiteLink'
import { listsOf } from './opening'
import { PlaceWithControls } from './PlaceWithControls'
import styles from './PlacesOpening.module.css'

interface Props {
  lead: Listing
  /** The places of the list's first page, with the lead. */
  places: readonly Listing[]
}

/** A list's lead, and the best-of lists that rank its places. */
export function PlacesOpening({ lead, places }: Props) {
  const lists = listsOf(places)
  return (
    <Opening
      beside={
        lists.length > 0 && (
          <section aria-labelledby="start">
            <SectionHeading id="start" level={3}>
              Where to start
            </SectionHeading>
            <ul>
              {lists.map(({ name, href, rank, place }) => (
                <li key={href}>
                  <SiteLink className={styles.list} href={href}>
                    <b>{name}</b>
                    <span className={styles.best}>{`No. ${rank}: ${place}`}</span>
                  </SiteLink>
                </li>
              ))}
            </ul>
          </section>
        )
      }
    >
      <PlaceWithControls place={lead} look="lead" isFirst />
    </Opening>
  )
}
