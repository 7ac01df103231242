import { useEffect, useState } from 'react'

/** The duration of the fade of a sent form, in milliseconds, as `--fade` in the style sheet. */
const FADE = 500

/** The form, the fading form, or the content that replaces it. */
export type FormStage = 'form' | 'leaving' | 'sent'

export function useSent(isSuccess: boolean): FormStage {
  const [isGone, setGone] = useState(false)
  useEffect(() => {
    if (!isSuccess) return
    const timer = setTimeout(() => setGone(true), FADE)
    return () => clearTimeout(timer)
  }, [isSuccess])
  if (!isSuccess) return 'form'
  return isGone ? 'sent' : 'leaving'
}
