import { useEffect, useRef, useState, type CSSProperties } from 'react'
import { Button } from '#/ui/Button'
import { ChevronIcon } from '#/ui/icons'
import { placeholderOf } from './placeholder'
import styles from './Stage.module.css'
import type { Photo } from './types'
import type { useSequence } from './use-sequence'
import { useSwipe } from './use-swipe'
import { altOf } from './words'

interface Props {
  photo: Photo
  sequence: ReturnType<typeof useSequence>
  onStep: (direction: 1 | -1) => void
}

/** The uncropped photo, the edge of the next one, and the buttons to the photos beside it. */
export function Stage({ photo, sequence, onStep }: Props) {
  const stage = useRef<HTMLDivElement>(null)
  const swipe = useSwipe(onStep)
  usePreloaded(sequence.neighbour(-1)?.whole_url)

  const shown = useRef(photo.id)
  useEffect(() => {
    // When it opens, the dialog sets the focus itself.
    if (shown.current === photo.id) return
    shown.current = photo.id
    // The focused button disappears at the first and the last photo.
    if (document.activeElement === document.body) stage.current?.focus()
  }, [photo.id])

  return (
    <div
      className={styles.stage}
      ref={stage}
      tabIndex={-1}
      style={{ '--ratio': photo.width / photo.height } as CSSProperties}
    >
      {sequence.has(-1) && (
        <button
          type="button"
          className={styles.previous}
          aria-label="Previous photo"
          onClick={() => onStep(-1)}
        >
          <span className={styles.step}>
            <ChevronIcon />
          </span>
        </button>
      )}
      <div className={styles.track} {...swipe}>
        <div className={styles.frame}>
          <Whole key={photo.id} photo={photo} />
        </div>
        {sequence.has(1) && <Next photo={sequence.neighbour(1)} onStep={() => onStep(1)} />}
      </div>
      {([-1, 1] as const).some((direction) => sequence.isMissing(direction)) && (
        <p className={styles.missing} role="alert">
          The next photo did not load.{' '}
          <Button look="outline" onClick={sequence.retry}>
            Try again
          </Button>
        </p>
      )}
    </div>
  )
}

interface NextProps {
  /** Undefined while the photo is loading. */
  photo: Photo | undefined
  onStep: () => void
}

/** The edge of the next photo, which moves on to it. */
function Next({ photo, onStep }: NextProps) {
  const ratio = photo && photo.width / photo.height
  return (
    <button type="button" className={styles.next} aria-label="Next photo" onClick={onStep}>
      <span className={styles.edge} style={{ '--ratio': ratio } as CSSProperties}>
        {photo && (
          <img
            key={photo.id}
            src={photo.whole_url}
            alt=""
            decoding="async"
            draggable={false}
            style={{ backgroundImage: placeholderOf(photo.thumbhash) }}
          />
        )}
      </span>
      <span className={styles.step}>
        <ChevronIcon />
      </span>
    </button>
  )
}

function Whole({ photo }: { photo: Photo }) {
  const [state, setState] = useState<'coming' | 'there' | 'failed'>('coming')
  if (state === 'failed') {
    return (
      <p className={styles.failed} role="alert">
        The picture did not load.{' '}
        <Button look="outline" onClick={() => setState('coming')}>
          Try again
        </Button>
      </p>
    )
  }
  return (
    <img
      className={styles.picture}
      src={photo.whole_url}
      alt={altOf(photo)}
      width={photo.width}
      height={photo.height}
      decoding="async"
      draggable={false}
      style={state === 'coming' ? { backgroundImage: placeholderOf(photo.thumbhash) } : undefined}
      onLoad={() => setState('there')}
      onError={() => setState('failed')}
    />
  )
}

function usePreloaded(source: string | undefined): void {
  useEffect(() => {
    if (!source) return
    new Image().src = source
  }, [source])
}
