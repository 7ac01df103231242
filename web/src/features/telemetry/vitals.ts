import { onCLS, onFCP, onINP, onLCP, onTTFB, type MetricType } from 'web-vitals'
import type { PageName } from '#/api/types'
import { report } from './reporter'

/** A time that takes longer is not plausible, and the server would refuse it, in milliseconds. */
const MAX_TIME = 600_000
const MAX_SHIFT = 100

/** Reports the web vitals of a loaded page. They belong to the page that was loaded, not to pages opened from it. */
export function reportVitals(loadedPage: () => PageName): void {
  const time = ({ name, value }: Pick<MetricType, 'name' | 'value'>): void => {
    if (name === 'CLS' || value > MAX_TIME) return
    report(() => ({ kind: 'vital', page: loadedPage(), name, value }))
  }
  onLCP(time)
  onINP(time)
  onTTFB(time)
  onFCP(time)
  onCLS(({ value }) => {
    report(() => ({ kind: 'layout-shift', page: loadedPage(), value: Math.min(value, MAX_SHIFT) }))
  })
}
