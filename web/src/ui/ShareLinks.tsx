import type { MouseEvent } from 'react'
import styles from './ShareLinks.module.css'

interface Props {
  /** The page's path on this site. */
  path: string
  title: string
}

interface Service {
  name: string
  width: number
  height: number
  address: (url: string, title: string) => string
}

// The order and the window sizes are specified.
const SERVICES: readonly Service[] = [
  {
    name: 'Facebook',
    width: 670,
    height: 340,
    address: (url) => `https://www.facebook.com/sharer/sharer.php?${query({ u: url })}`,
  },
  {
    name: 'X',
    width: 550,
    height: 425,
    address: (url, title) => `https://x.com/intent/post?${query({ url, text: title })}`,
  },
]

/** Links that open a small window; plain links to a new tab if windows are blocked. */
export function ShareLinks({ path, title }: Props) {
  const url = new URL(path, window.location.origin).href
  return (
    <ul className={styles.links} aria-label="Share">
      {SERVICES.map((service) => (
        <li key={service.name}>
          <a
            href={service.address(url, title)}
            target="_blank"
            rel="noopener noreferrer"
            onClick={(event) => openSmall(event, service)}
          >
            <span className="visually-hidden">Share on </span>
            {service.name}
          </a>
        </li>
      ))}
    </ul>
  )
}

function openSmall(event: MouseEvent<HTMLAnchorElement>, { width, height }: Service): void {
  // With a modifier key the reader decides where it opens.
  if (event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return
  // Without `noopener`, which would hide whether a window was opened.
  const small = window.open('about:blank', '_blank', `popup,width=${width},height=${height}`)
  if (!small) return
  event.preventDefault()
  small.opener = null
  small.location.replace(event.currentTarget.href)
}

function query(values: Record<string, string>): string {
  return new URLSearchParams(values).toString()
}
