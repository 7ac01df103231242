import { useSyncExternalStore } from 'react'
import { session } from '#/features/session/current'
import { siteInPage, useSite } from '#/features/site/site'
import { Emitter } from '#/lib/emitter'
import { api } from '#/lib/api'
import { ApiError, dataOf } from '#/lib/http'
import { debug } from '#/lib/log'
import { sessionStore } from '#/lib/storage'
import { parseInstant, systemClock } from '#/lib/time'
import { choiceOf, type ConsentAnswer, type StoredAnswer } from './choice'
import { storeAnswer, storedAnswer, useConsent } from './consent'
import { browserSignal } from './signal'

/** The reader whose account this tab has queried. */
const QUERIED_READER = 'consent:asked'

/** Whether the reader's account, if any, has been queried for an answer that this device lacks. */
const isAccountQueried = new Emitter(false)

/** Whether to ask the reader. */
export function useShouldAsk(): boolean {
  const { consent } = useSite()
  const { choice, signal } = useConsent()
  const isReady = useSyncExternalStore(isAccountQueried.subscribe, isAccountQueried.get)
  return consent.asks && choice === 'unasked' && signal === null && isReady
}

/** Returns a function that stores an answer on this device and for the account. */
export function useGiveAnswer(): (choice: ConsentAnswer) => void {
  const { version } = useSite().consent
  return (choice) => void giveAnswer(choice, choice === 'all' ? version : '')
}

async function giveAnswer(choice: ConsentAnswer, version: string): Promise<void> {
  const answer = { choice, version, at: systemClock.now(), unrecordedOf: null }
  storeAnswer(answer)
  const reader = await session.settled()
  if (reader.status !== 'member') return
  const unrecorded = { ...answer, unrecordedOf: reader.id }
  storeAnswer(unrecorded)
  await recordAnswer(unrecorded)
}

/** Records an answer for the account. A failed request is repeated with the next page. */
async function recordAnswer(answer: StoredAnswer): Promise<void> {
  const { choice, version } = answer
  try {
    await dataOf(
      api.PUT('/api/v2/profiles/me/consent/', {
        body: version === '' ? { choice } : { choice, version },
      }),
    )
  } catch (error) {
    debug('The consent choice could not be recorded', error)
    const isRefused = error instanceof ApiError && error.status === 400
    if (!isRefused) return
  }
  if (storedAnswer.get()?.at === answer.at) storeAnswer({ ...answer, unrecordedOf: null })
}

/** If this device has no answer, takes the one of the account that signs in. */
export async function syncConsent(): Promise<void> {
  const reader = await session.settled()
  if (reader.status === 'member') await syncAnswer(reader.id)
  isAccountQueried.set(true)
}

async function syncAnswer(id: number): Promise<void> {
  const answer = storedAnswer.get()
  if (answer?.unrecordedOf === id) {
    void recordAnswer(answer)
    return
  }
  const version = siteInPage()?.consent.version
  const isChosen = choiceOf(answer, version, systemClock.now()) !== 'unasked'
  if (isChosen || browserSignal() !== null || sessionStore.get(QUERIED_READER) === String(id))
    return
  try {
    const { choice, date_chosen } = await dataOf(api.GET('/api/v2/profiles/me/consent/'))
    sessionStore.set(QUERIED_READER, String(id))
    const at = parseInstant(date_chosen)
    if (choice === null || Number.isNaN(at) || storedAnswer.get() !== answer) return
    storeAnswer({
      choice,
      at,
      version: choice === 'all' ? (version ?? '') : '',
      unrecordedOf: null,
    })
  } catch (error) {
    debug('The account’s consent choice could not be fetched', error)
  }
}
