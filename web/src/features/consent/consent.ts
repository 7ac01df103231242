import { useSyncExternalStore } from 'react'
import type { ThirdPartyConsent } from '#/api/types'
import { siteInPage, useSite } from '#/features/site/site'
import { openChannel } from '#/lib/broadcast'
import { Emitter } from '#/lib/emitter'
import { localStore, readJson } from '#/lib/storage'
import { systemClock } from '#/lib/time'
import { choiceOf, readAnswer, type Choice, type KeptAnswer } from './choice'
import { browserSignal, type Signal } from './signal'

const KEY = 'consent'

const tabs = openChannel<unknown>('cityguide:consent')

/** The answer on this device, which is known before anything is rendered. */
export const kept = new Emitter<KeptAnswer | null>(readAnswer(readJson(localStore, KEY)))

tabs.listen((message) => {
  const answer = readAnswer(message)
  if (answer) kept.set(answer)
})

/** Remembers an answer on this device, in every tab. */
export function keep(answer: KeptAnswer): void {
  localStore.set(KEY, JSON.stringify(answer))
  kept.set(answer)
  tabs.send(answer)
}

/** The state of a reader's consent. */
export interface Consent {
  choice: Choice
  /** When it was chosen; null unless it was. */
  chosenAt: number | null
  /** The browser's own signal, which counts as a refusal and wins over every choice. */
  signal: Signal | null
  /** Whether pages may load what belongs to other companies. */
  isAllowed: boolean
}

function consentTo(question: ThirdPartyConsent | undefined, answer: KeptAnswer | null): Consent {
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
  return consentTo(consent, useSyncExternalStore(kept.subscribe, kept.get))
}

/**
 * Whether pages may contact other companies now: to load what is theirs, or to tell them of the reader. Without the site's
 * settings they may not.
 */
export function thirdPartiesAllowed(): boolean {
  return consentTo(siteInPage()?.consent, kept.get()).isAllowed
}

/** The same for a component, which is rendered again when the answer changes. */
export function useThirdPartiesAllowed(): boolean {
  return useConsent().isAllowed
}
