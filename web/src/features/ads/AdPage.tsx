import { createContext, useContext, useEffect, useMemo, type ReactNode } from 'react'
import { useSite } from '#/features/site/site'
import { COLLAPSED, Fills } from './fills'
import type { PageOfAds } from './slots'

interface OnPage {
  page: PageOfAds['page']
  fills: Fills
}

const AdsContext = createContext<OnPage | null>(null)

/** The page around a spot; null if it has no ads. */
export function useAdsOnPage(): OnPage | null {
  return useContext(AdsContext)
}

interface Props {
  /** What the page is about; null for a page beside which nothing is advertised. */
  about: PageOfAds | null
  children: ReactNode
}

/**
 * A page whose spots may show ads. They are asked for once per page, by code that is loaded when the page has
 * been, and are gone with the page.
 */
export function AdPage({ about, children }: Props) {
  const { ads } = useSite()
  // Pages make this object anew whenever they render.
  const key = about && JSON.stringify(about)
  const on = useMemo(() => {
    const page = key === null ? null : (JSON.parse(key) as PageOfAds)
    const slots = page ? ads.slots.filter(({ pages }) => pages.includes(page.page)) : []
    return page && slots.length > 0
      ? { page: page.page, about: page, slots, fills: new Fills() }
      : null
  }, [key, ads])

  useEffect(() => {
    if (!on) return
    const leaving = new AbortController()
    const { about, slots, fills } = on
    void loaded(leaving.signal)
      .then(() => import('./controller'))
      .then(
        ({ showAds }) => {
          if (!leaving.signal.aborted) showAds({ about, slots, ads, fills, signal: leaving.signal })
        },
        () => {
          // The code did not come, as where a content blocker refuses it.
          for (const { position } of slots) fills.set(position, COLLAPSED)
        },
      )
    return () => leaving.abort()
  }, [on, ads])

  return <AdsContext value={on}>{children}</AdsContext>
}

/** Waits for the first page's own files; a later page has its own already. */
function loaded(signal: AbortSignal): Promise<void> {
  if (document.readyState === 'complete') return Promise.resolve()
  return new Promise((resolve) => {
    window.addEventListener('load', () => resolve(), { once: true, signal })
  })
}
