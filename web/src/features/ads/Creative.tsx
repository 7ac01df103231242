import { useEffect, useRef, useState, type RefObject } from 'react'
import styles from './AdSlot.module.css'
import { report } from './events'
import type { FilledAd } from './fills'
import { whenViewable } from './viewable'

/** The ad of a slot. Every click reaches the site's own link above the ad. */
export function Creative({ ad }: { ad: FilledAd }) {
  return ad.creative.kind === 'native' ? <Native ad={ad} /> : <Framed ad={ad} />
}

/**
 * A creative is a third-party document. It runs in a frame with its own origin: it cannot read the page, navigate the
 * window or set a cookie, and never gets the pointer or the focus.
 */
function Framed({ ad }: { ad: FilledAd }) {
  const { creative, width, height } = ad
  const [isRendered, setRendered] = useState(false)
  const element = useRef<HTMLDivElement>(null)
  const frame = useRef<HTMLIFrameElement>(null)
  useMeasurement(ad, element, isRendered)
  useFocusGuard(frame)
  return (
    <div className={styles.frame} ref={element}>
      <iframe
        ref={frame}
        // Loads the frame without cookies, if the browser supports that (https://wicg.github.io/anonymous-iframe/).
        {...{ credentialless: true }}
        src={creative.frame_url ?? undefined}
        width={width}
        height={height}
        title={`Advertisement of ${creative.advertiser}`}
        // A picture needs no scripts.
        sandbox={creative.kind === 'html' ? 'allow-scripts' : ''}
        referrerPolicy="no-referrer"
        loading="lazy"
        inert
        aria-hidden
        tabIndex={-1}
        onLoad={() => setRendered(true)}
      />
      <ClickLink ad={ad} name={creative.alt} />
    </div>
  )
}

/** An ad of text and a picture, in the page's style. */
function Native({ ad }: { ad: FilledAd }) {
  const { advertiser, headline, text, call, picture_url: picture } = ad.creative
  const [isRendered, setRendered] = useState(!picture)
  const element = useRef<HTMLDivElement>(null)
  useMeasurement(ad, element, isRendered)
  return (
    <div className={styles.native} ref={element}>
      {picture && (
        <img
          className={styles.picture}
          src={picture}
          alt=""
          loading="lazy"
          decoding="async"
          onLoad={() => setRendered(true)}
          // The ad counts as rendered even without its picture.
          onError={() => setRendered(true)}
        />
      )}
      <div className={styles.words}>
        <p className={styles.advertiser}>{advertiser}</p>
        <p className={styles.headline}>{headline}</p>
        {text && <p className={styles.text}>{text}</p>}
      </div>
      {call && <p className={styles.call}>{call}</p>}
      <ClickLink ad={ad} name={headline} />
    </div>
  )
}

/**
 * Takes the focus back from a creative: browsers let a script in a frame take it, even if the frame is inert and of
 * another origin.
 */
function useFocusGuard(frame: RefObject<HTMLIFrameElement | null>): void {
  useEffect(() => {
    let last: EventTarget | null = null
    const left = ({ target }: FocusEvent): void => {
      last = target
    }
    const restoreFocus = (): void => {
      if (document.activeElement !== frame.current) return
      frame.current?.blur()
      if (last instanceof HTMLElement) last.focus({ preventScroll: true })
    }
    let timer: ReturnType<typeof setTimeout> | undefined
    const taken = (): void => {
      // The focus can only be moved after this event.
      timer = setTimeout(restoreFocus)
    }
    document.addEventListener('focusout', left)
    window.addEventListener('blur', taken)
    return () => {
      clearTimeout(timer)
      document.removeEventListener('focusout', left)
      window.removeEventListener('blur', taken)
    }
  }, [frame])
}

function ClickLink({ ad: { creative }, name }: { ad: FilledAd; name: string | null | undefined }) {
  const { advertiser, click_url: address } = creative
  return (
    <a className={styles.link} href={address} target="_blank" rel="sponsored noopener">
      <span className="visually-hidden">{name ? `${advertiser}: ${name}` : advertiser}</span>
    </a>
  )
}

/** Counts the ad as shown once it is rendered, and as seen once it has been in view. */
function useMeasurement(
  { creative: { token } }: FilledAd,
  element: RefObject<Element | null>,
  isRendered: boolean,
): void {
  useEffect(() => {
    const target = element.current
    if (!isRendered || !target) return
    report('impression', token)
    const { width, height } = target.getBoundingClientRect()
    return whenViewable(target, { width, height }, () => report('viewable', token))
  }, [isRendered, element, token])
}
