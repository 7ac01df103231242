import { useEffect, useState } from 'react'

/** How long a sent form fades, in milliseconds (spec, section 9); `--fade` of the style sheet. */
const FADE = 500

/** What stands where a form was: the form, the form as it fades, or what follows it. */
export type Stage = 'form' | 'leaving' | 'sent'

/** The stage of a form, of which it is known whether it was sent. */
export function useSent(isSuccess: boolean): Stage {
  const [isGone, setGone] = useState(false)
  useEffect(() => {
    if (!isSuccess) return
    const timer = setTimeout(() => setGone(true), FADE)
    return () => clearTimeout(timer)
  }, [isSuccess])
  if (!isSuccess) return 'form'
  return isGone ? 'sent' : 'leaving'
}
