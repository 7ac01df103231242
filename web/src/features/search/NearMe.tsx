import { useState, type ReactNode } from 'react'
import { Button } from '#/ui/Button'
import styles from './NearMe.module.css'

/** The timeout for the position, in milliseconds. */
const TIMEOUT = 10_000
/** The decimals of a degree that are used: about a hundred metres. */
const DECIMALS = 3

interface Props {
  /** Receives "lat,lng". */
  onPosition: (position: string) => void
  /** The promise about the position. */
  children: ReactNode
}

/** Offers to use the reader's position for "near me". */
export function NearMe({ onPosition, children }: Props) {
  const [state, setState] = useState<'idle' | 'asking' | 'failed'>('idle')
  const ask = (): void => {
    setState('asking')
    navigator.geolocation.getCurrentPosition(
      ({ coords }) =>
        onPosition([coords.latitude, coords.longitude].map((at) => at.toFixed(DECIMALS)).join(',')),
      () => setState('failed'),
      { maximumAge: 60_000, timeout: TIMEOUT },
    )
  }
  return (
    <div className={styles.near}>
      <p>To show what is near you, the site needs to know where you are. {children}</p>
      <Button look="outline" isBusy={state === 'asking'} onClick={ask}>
        Use my location
      </Button>
      {state === 'failed' && (
        <p role="alert">Your location could not be found. Try a neighbourhood instead.</p>
      )}
    </div>
  )
}
