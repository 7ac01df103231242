import { useSyncExternalStore } from 'react'
import { readCookie, writeCookie } from '#/lib/cookies'
import { Emitter } from '#/lib/emitter'

const COOKIE = 'is_user_over_18'
/** 30 days (spec, section 9). */
const REMEMBERED_SECONDS = 2_592_000

export type Answer = 'yes' | 'no' | 'none'

/** The answer since this page was loaded, whether or not it is to be remembered. */
const said = new Emitter<Answer>('none')

/** The remembered answer; any value but the two that this page writes counts as none. */
function remembered(): Answer {
  const value = readCookie(COOKIE)
  if (value === 'true') return 'yes'
  return value === 'false' ? 'no' : 'none'
}

/** The reader's answer, from this page or remembered. */
function answer(): Answer {
  return said.get() === 'yes' ? 'yes' : remembered()
}

export function useAge(): Answer {
  return useSyncExternalStore(said.subscribe, answer)
}

export function sayYes(isRemembered: boolean): void {
  remember('true', isRemembered)
  said.set('yes')
}

/** An unticked No is not stored: the next restricted page asks again. */
export function sayNo(isRemembered: boolean): void {
  remember('false', isRemembered)
  said.set('none')
}

/** Asks again, after the server has refused a Yes that this page had. */
export function forgetAnswer(): void {
  said.set('none')
}

/** Tells the server of a Yes that no cookie carries, such as an unticked one. */
export function ageHeaders(): Record<string, string> {
  return said.get() === 'yes' ? { 'X-Of-Legal-Age': '1' } : {}
}

function remember(value: 'true' | 'false', isRemembered: boolean): void {
  if (isRemembered) writeCookie(COOKIE, value, REMEMBERED_SECONDS)
}
