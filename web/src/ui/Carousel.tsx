import useEmblaCarousel from 'embla-carousel-react'
import { useCallback, useSyncExternalStore, type ReactNode } from 'react'
import { REDUCED_MOTION, useMediaQuery } from '#/lib/use-media-query'
import { ChevronIcon } from './icons'
import styles from './Carousel.module.css'

/**
 * The library's unit is neither milliseconds nor frames: each 60th of a second the slide moves by 2.125 / DURATION
 * of the remaining distance, so that 500 ms after a click half a percent of the distance remains.
 */
const DURATION = 12

interface Props {
  /** The carousel's accessible name. */
  label: string
  /** Each with a unique key. */
  slides: readonly { key: number; content: ReactNode }[]
}

/** One slide at a time, with buttons and a counter; it can be swiped too. */
export default function Carousel({ label, slides }: Props) {
  const isStill = useMediaQuery(REDUCED_MOTION)
  const [viewport, embla] = useEmblaCarousel({
    duration: DURATION,
    slidesToScroll: 1,
    containScroll: false,
  })
  const subscribe = useCallback(
    (listener: () => void) => {
      embla?.on('select', listener).on('reInit', listener)
      return () => embla?.off('select', listener).off('reInit', listener)
    },
    [embla],
  )
  const current = useSyncExternalStore(subscribe, () => embla?.selectedScrollSnap() ?? 0)
  const total = slides.length
  const go = (to: number): void => {
    if (to >= 0 && to < total) embla?.scrollTo(to, isStill)
  }

  return (
    <div role="group" aria-roledescription="carousel" aria-label={label}>
      <div className={styles.viewport} ref={viewport}>
        <ul className={styles.slides}>
          {slides.map(({ key, content }, index) => (
            // Hidden slides get no focus.
            <li key={key} className={styles.slide} inert={index !== current}>
              {content}
            </li>
          ))}
        </ul>
      </div>
      <div className={styles.controls}>
        <Step label="Prev" isOff={current === 0} onStep={() => go(current - 1)} />
        <p className={styles.counter} aria-live="polite">
          {current + 1} of {total}
        </p>
        <Step label="Next" isOff={current === total - 1} onStep={() => go(current + 1)} />
      </div>
    </div>
  )
}

interface StepProps {
  label: 'Prev' | 'Next'
  /** At the end the button is disabled but keeps the focus. */
  isOff: boolean
  onStep: () => void
}

function Step({ label, isOff, onStep }: StepProps) {
  const side = label === 'Prev' ? styles.prev : styles.next
  return (
    <button
      type="button"
      className={`${styles.step} ${side}`}
      aria-disabled={isOff || undefined}
      onClick={onStep}
    >
      <ChevronIcon />
      {label}
    </button>
  )
}
