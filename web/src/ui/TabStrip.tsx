import { useCallback, useLayoutEffect, useRef, useState } from 'react'
import { SiteLink } from './SiteLink'
import styles from './TabStrip.module.css'

interface Tab {
  href: string
  label: string
}

interface Props {
  /** The accessible name of the navigation. */
  label: string
  tabs: readonly Tab[]
  /** The address of the page that is shown. */
  current: string
}

/** The tolerance for rounded scroll positions, in px. */
const ROUNDING = 1

/**
 * Links between the parts of a page. On a narrow screen they scroll sideways: the current one is in view, and a side
 * with further links fades out.
 */
export function TabStrip({ label, tabs, current }: Props) {
  const strip = useRef<HTMLUListElement>(null)
  const [hidden, setHidden] = useState({ before: false, after: false })

  const measure = useCallback((): void => {
    if (!strip.current) return
    const { scrollLeft, clientWidth, scrollWidth } = strip.current
    const before = scrollLeft > ROUNDING
    const after = scrollWidth - clientWidth - scrollLeft > ROUNDING
    setHidden((old) => (old.before === before && old.after === after ? old : { before, after }))
  }, [])

  useLayoutEffect(() => {
    const list = strip.current
    if (!list) return
    const show = (): void => {
      const link = list.querySelector<HTMLElement>('[aria-current]')
      // Unlike scrollIntoView, this never scrolls the page.
      if (link) list.scrollLeft = link.offsetLeft - (list.clientWidth - link.offsetWidth) / 2
      measure()
    }
    const resizes = new ResizeObserver(show)
    // The tabs too, which become wider with the site's font.
    for (const tab of [list, ...list.children]) resizes.observe(tab)
    show()
    return () => resizes.disconnect()
  }, [current, tabs.length, measure])

  return (
    <nav aria-label={label}>
      <ul
        className={styles.strip}
        ref={strip}
        data-before={hidden.before || undefined}
        data-after={hidden.after || undefined}
        onScroll={measure}
      >
        {tabs.map(({ href, label: text }) => (
          <li key={href}>
            <SiteLink href={href} aria-current={href === current ? 'page' : undefined}>
              {text}
            </SiteLink>
          </li>
        ))}
      </ul>
    </nav>
  )
}
