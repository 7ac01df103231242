import { createContext, useContext, useEffect, useMemo, type ReactNode } from 'react'
import { useSite } from '#/features/site/site'
import { COLLAPSED, Fills } from './fills'
import type { PageSubject } from './slots'

interface PageAds {
  page: PageSubject['page']
  fills: Fills
}

const AdsContext = createContext<PageAds | null>(null)

/** The ads of the page around a spot; null if the page has none. */
export function useAdsOnPage(): PageAds | null {
  return useContext(AdsContext)
}

interface Props {
  /** The subject of the page; null for a page without ads. */
  about: PageSubject | null
  children: ReactNode
}

/**
 * A page whose spots may show ads. The ads are requested once per page, by code that loads after
 * the page, and are removed with the page.
 */
export function AdPage({ about, children }: Props) {
  const { ads } = useSite()
  // Pages create this object with every render.
  const key = about && JSON.stringify(about)
  const on = useMemo(() => {
    const page = key === null ? null : (JSON.parse(key) as PageSubject)
    const slots = page ? ads.slots.filter(({ pages }) => pages.includes(page.page)) : []
    return page && slots.length > 0
      ? { page: page.page, about: page, slots, fills: new Fills() }
      : null
  }, [key, ads])

  useEffect(() => {
    if (!on) return
    const leaving = new AbortController()
    const { about, slots, fills } = on
    void firstPageLoaded(leaving.signal)
      .then(() => import('./controller'))
      .then(
        ({ showAds }) => {
          if (!leaving.signal.aborted) showAds({ about, slots, ads, fills, signal: leaving.signal })
        },
        () => {
          // The code did not load, for example because of a content blocker.
          for (const { position } of slots) fills.set(position, COLLAPSED)
        },
      )
    return () => leaving.abort()
  }, [on, ads])

  return <AdsContext value={on}>{children}</AdsContext>
}

/** Waits until the files of the first page are loaded. A later page does not wait. */
function firstPageLoaded(signal: AbortSignal): Promise<void> {
  if (document.readyState === 'complete') return Promise.resolve()
  return new Promise((resolve) => {
    window.addEventListener('load', () => resolve(), { once: true, signal })
  })
}
