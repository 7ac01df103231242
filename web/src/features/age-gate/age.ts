import { useSyncExternalStore } from 'react'
import { readCookie, writeCookie } from '#/lib/cookies'
import { Emitter } from '#/lib/emitter'

const COOKIE = 'is_user_over_18'
/** 30 days (spec, section 9). */
const REMEMBERED_SECONDS = 2_592_000

export type Answer = 'yes' | 'no' | 'none'

/** What the reader has said since this page was loaded; what was not to be remembered ends here. */
const said = new Emitter<Answer>('none')

/** The remembered answer; anything but the two that this page writes is none. */
function remembered(): Answer {
  const value = readCookie(COOKIE)
  if (value === 'true') return 'yes'
  return value === 'false' ? 'no' : 'none'
}

/** Whether the reader is of legal age, as far as they have said. */
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

/** An unticked No is kept nowhere: the next restricted page asks again. */
export function sayNo(isRemembered: boolean): void {
  remember('false', isRemembered)
  said.set('none')
}

/** Asks again: the server does not know of a Yes that this page thought it had. */
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
