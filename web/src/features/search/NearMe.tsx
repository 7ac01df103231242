import { useState } from 'react'
import { Button } from '#/ui/Button'
import styles from './NearMe.module.css'

/** The longest wait for the position, in milliseconds. */
const PATIENCE = 10_000
/** Decimals of a degree that leave this device: about a hundred metres. */
const DECIMALS = 3

interface Props {
  /** Gets "lat,lng". */
  onPosition: (position: string) => void
}

/** Asks for the reader's position, which "near me" needs, once they agree. */
export function NearMe({ onPosition }: Props) {
  const [state, setState] = useState<'idle' | 'asking' | 'failed'>('idle')
  const ask = (): void => {
    setState('asking')
    navigator.geolocation.getCurrentPosition(
      ({ coords }) =>
        onPosition([coords.latitude, coords.longitude].map((at) => at.toFixed(DECIMALS)).join(',')),
      () => setState('failed'),
      { maximumAge: 60_000, timeout: PATIENCE },
    )
  }
  return (
    <div className={styles.near}>
      <p>To show what is near you, the site needs to know where you are. It is not stored.</p>
      <Button look="outline" isBusy={state === 'asking'} onClick={ask}>
        Use my location
      </Button>
      {state === 'failed' && (
        <p role="alert">Your location could not be found. Try a neighbourhood instead.</p>
      )}
    </div>
  )
}
