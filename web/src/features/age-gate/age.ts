import { useSyncExternalStore } from 'react'
import { readCookie, writeCookie } from '#/lib/cookies'
import { Emitter } from '#/lib/emitter'

const COOKIE = 'is_user_over_18'
/** 30 days, in seconds. */
const REMEMBERED_SECONDS = 2_592_000

export type AgeAnswer = 'yes' | 'no' | 'none'

/** The answer since the page was loaded, remembered or not. */
const sessionAnswer = new Emitter<AgeAnswer>('none')

/** The remembered answer; other values than this module's own are ignored. */
function rememberedAnswer(): AgeAnswer {
  const value = readCookie(COOKIE)
  if (value === 'true') return 'yes'
  return value === 'false' ? 'no' : 'none'
}

/** The reader's answer: from this page, or remembered. */
function answer(): AgeAnswer {
  return sessionAnswer.get() === 'yes' ? 'yes' : rememberedAnswer()
}

export function useAge(): AgeAnswer {
  return useSyncExternalStore(sessionAnswer.subscribe, answer)
}

export function confirmAge(isRemembered: boolean): void {
  remember('true', isRemembered)
  sessionAnswer.set('yes')
}

/** An unticked No is not stored: the next restricted page asks again. */
export function declineAge(isRemembered: boolean): void {
  remember('false', isRemembered)
  sessionAnswer.set('none')
}

/** Asks again after the server has refused a Yes of this page. */
export function forgetAnswer(): void {
  sessionAnswer.set('none')
}

/** The header that sends a Yes of this page, which no cookie contains if the box was not ticked. */
export function ageHeaders(): Record<string, string> {
  return sessionAnswer.get() === 'yes' ? { 'X-Of-Legal-Age': '1' } : {}
}

function remember(value: 'true' | 'false', isRemembered: boolean): void {
  if (isRemembered) writeCookie(COOKIE, value, REMEMBERED_SECONDS)
}
