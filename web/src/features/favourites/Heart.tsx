import { useState } from 'react'
import { HeartIcon } from '#/ui/icons'
import { useFavourite } from './favourites'
import styles from './Heart.module.css'

interface Props {
  listingId: number
  name: string
  /** On a picture the heart stands on its own ground. */
  look?: 'round' | 'labelled'
}

export function Heart({ listingId, name, look = 'round' }: Props) {
  const { isOn, toggle } = useFavourite(listingId)
  // The flourish belongs to a click that switches on, not to a page that shows what was on.
  const [hasClicked, setClicked] = useState(false)
  const classes = [styles.heart, styles[look], isOn && hasClicked && styles.flourish]
  return (
    <button
      type="button"
      className={classes.filter(Boolean).join(' ')}
      aria-pressed={isOn}
      aria-label={look === 'round' ? `Favourite ${name}` : undefined}
      data-heart={listingId}
      onClick={() => {
        setClicked(true)
        toggle()
      }}
    >
      <HeartIcon className={styles.icon} />
      {look === 'labelled' && <span>{isOn ? 'In your favourites' : 'Add to favourites'}</span>}
    </button>
  )
}
