import { useSyncExternalStore } from 'react'
import type { ThirdPartyConsent } from '#/api/types'
import { siteInPage, useSite } from '#/features/site/site'
import { openChannel } from '#/lib/broadcast'
import { Emitter } from '#/lib/emitter'
import { localStore, readJson } from '#/lib/storage'
import { systemClock } from '#/lib/time'
import { choiceOf, parseAnswer, type Choice, type StoredAnswer } from './choice'
import { browserSignal, type Signal } from './signal'

const KEY = 'consent'

const tabs = openChannel<unknown>('cityguide:consent')

/** The answer on this device, which is known before the first render. */
export const storedAnswer = new Emitter<StoredAnswer | null>(parseAnswer(readJson(localStore, KEY)))

tabs.listen((message) => {
  const answer = parseAnswer(message)
  if (answer) storedAnswer.set(answer)
})

/** Stores an answer on this device, for every tab. */
export function storeAnswer(answer: StoredAnswer): void {
  localStore.set(KEY, JSON.stringify(answer))
  storedAnswer.set(answer)
  tabs.send(answer)
}

/** The state of a reader's consent. */
export interface Consent {
  choice: Choice
  /** The time of the choice; null without one. */
  chosenAt: number | null
  /** The browser's own signal, which counts as a refusal and overrides every choice. */
  signal: Signal | null
  /** Whether pages may load content of other companies. */
  isAllowed: boolean
}

function consentTo(question: ThirdPartyConsent | undefined, answer: StoredAnswer | null): Consent {
  const choice = choiceOf(answer, question?.version, systemClock.now())
  const signal = browserSignal()
  const isGranted = choice === 'all' || (choice === 'unasked' && question?.asks === false)
  return {
    choice,
    chosenAt: choice === 'unasked' || !answer ? null : answer.at,
    signal,
    isAllowed: isGranted && signal === null,
  }
}

export function useConsent(): Consent {
  const { consent } = useSite()
  return consentTo(consent, useSyncExternalStore(storedAnswer.subscribe, storedAnswer.get))
}

/** Whether pages may contact other companies now. False while the site's settings are unknown. */
export function thirdPartiesAllowed(): boolean {
  return consentTo(siteInPage()?.consent, storedAnswer.get()).isAllowed
}

/** As `thirdPartiesAllowed`, for a component, which renders again when the answer changes. */
export function useThirdPartiesAllowed(): boolean {
  return useConsent().isAllowed
}
