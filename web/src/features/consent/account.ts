import { useSyncExternalStore } from 'react'
import { session } from '#/features/session/current'
import { siteInPage, useSite } from '#/features/site/site'
import { Emitter } from '#/lib/emitter'
import { api, ApiError, dataOf } from '#/lib/http'
import { debug } from '#/lib/log'
import { sessionStore } from '#/lib/storage'
import { instant, systemClock } from '#/lib/time'
import { choiceOf, type Answer, type KeptAnswer } from './choice'
import { keep, kept, useConsent } from './consent'
import { browserSignal } from './signal'

/** The reader whose account this tab has asked already. */
const ASKED = 'consent:asked'

/** Whether the reader's account has been asked, if there is one: it may have the answer that this device lacks. */
const isKnown = new Emitter(false)

/** Whether the reader is to be asked. */
export function useIsAsked(): boolean {
  const { consent } = useSite()
  const { choice, signal } = useConsent()
  const isReady = useSyncExternalStore(isKnown.subscribe, isKnown.get)
  return consent.asks && choice === 'unasked' && signal === null && isReady
}

/** Gives an answer, on this device and for the reader's account. */
export function useAnswer(): (choice: Answer) => void {
  const { version } = useSite().consent
  return (choice) => void give(choice, choice === 'all' ? version : '')
}

async function give(choice: Answer, version: string): Promise<void> {
  const answer = { choice, version, at: systemClock.now(), unrecordedOf: null }
  keep(answer)
  const reader = await session.settled()
  if (reader.status !== 'member') return
  const unrecorded = { ...answer, unrecordedOf: reader.id }
  keep(unrecorded)
  await record(unrecorded)
}

/** Has the account record an answer. One that did not get there is sent with the next page. */
async function record(answer: KeptAnswer): Promise<void> {
  const { choice, version } = answer
  try {
    await dataOf(
      api.PUT('/api/v2/profiles/me/consent/', {
        body: version === '' ? { choice } : { choice, version },
      }),
    )
  } catch (error) {
    debug('The choice was not recorded', error)
    const isRefused = error instanceof ApiError && error.status === 400
    if (!isRefused) return
  }
  if (kept.get()?.at === answer.at) keep({ ...answer, unrecordedOf: null })
}

/** Has a device on which nobody has chosen follow the account of the reader who signs in. */
export async function followAccount(): Promise<void> {
  const reader = await session.settled()
  if (reader.status === 'member') await meet(reader.id)
  isKnown.set(true)
}

async function meet(id: number): Promise<void> {
  const answer = kept.get()
  if (answer?.unrecordedOf === id) {
    void record(answer)
    return
  }
  const version = siteInPage()?.consent.version
  const isChosen = choiceOf(answer, version, systemClock.now()) !== 'unasked'
  if (isChosen || browserSignal() !== null || sessionStore.get(ASKED) === String(id)) return
  try {
    const { choice, date_chosen } = await dataOf(api.GET('/api/v2/profiles/me/consent/'))
    sessionStore.set(ASKED, String(id))
    const at = instant(date_chosen)
    if (choice === null || Number.isNaN(at) || kept.get() !== answer) return
    keep({ choice, at, version: choice === 'all' ? (version ?? '') : '', unrecordedOf: null })
  } catch (error) {
    debug('The account was not asked for its choice', error)
  }
}
