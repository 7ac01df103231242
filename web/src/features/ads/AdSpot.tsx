import { useEffect, useSyncExternalStore } from 'react'
import type { AdSlot } from '#/api/types'
import { useSite } from '#/features/site/site'
import { useAdsOnPage } from './AdPage'
import styles from './AdSlot.module.css'
import type { Fills } from './fills'
import { elementId, heightOn, networkElementId, type Spot } from './slots'

/** The slots of a spot, with the possible heights of their ads on each screen. */
export function AdSpot({ at }: { at: Spot }) {
  const { slots } = useSite().ads
  const on = useAdsOnPage()
  if (!on) return null
  const here = slots.filter((slot) => slot.at === at && slot.pages.includes(on.page))
  const around = at === 'side' ? styles.side : on.page === 'home' ? styles.between : styles.after
  return here.map((slot) => (
    <Slot key={slot.position} slot={slot} fills={on.fills} around={around} />
  ))
}

interface Props {
  slot: AdSlot
  fills: Fills
  /** The class that sets the space around the slot. */
  around: string
}

/** The gateway renders the same element without an ad (gateway/src/pages/content/ads.rs). */
function Slot({ slot, fills, around }: Props) {
  const { google } = useSite().ads
  const fill = useSyncExternalStore(fills.subscribe, () => fills.of(slot.position))
  const isFilled = fill.state === 'filled'
  useEffect(() => fills.mount(slot.position), [fills, slot.position])
  return (
    <div
      className={`${styles.slot} ${around}`}
      id={elementId(slot)}
      role="group"
      aria-label="Advertisement"
      hidden={fill.state === 'collapsed'}
      data-x-small={heightOn(slot, 'x_small')}
      data-small={heightOn(slot, 'small')}
      data-medium={heightOn(slot, 'medium')}
      data-large={heightOn(slot, 'large')}
    >
      <p className={styles.label} aria-hidden="true">
        Advertisement
      </p>
      <div className={styles.box}>
        {isFilled && <fill.Creative key={fill.ad.id} ad={fill.ad} />}
        {google && <div id={networkElementId(slot)} hidden={isFilled} />}
      </div>
    </div>
  )
}
