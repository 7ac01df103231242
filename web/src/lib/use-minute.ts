import { useEffect, useState } from 'react'
import { systemClock } from './time'

const MINUTE = 60_000

/** The current time in milliseconds, which is updated at each full minute and when a hidden page is shown again. */
export function useMinute(): number {
  const [now, setNow] = useState(() => systemClock.now())
  useEffect(() => {
    const update = (): void => setNow(systemClock.now())
    const timer = setTimeout(update, MINUTE - (systemClock.now() % MINUTE))
    // Browsers stop the timers of hidden pages.
    document.addEventListener('visibilitychange', update)
    return () => {
      clearTimeout(timer)
      document.removeEventListener('visibilitychange', update)
    }
  }, [now])
  return now
}
