import {
  browserSupportsWebAuthn,
  browserSupportsWebAuthnAutofill,
  platformAuthenticatorIsAvailable,
  startAuthentication,
  startRegistration,
  WebAuthnAbortService,
  WebAuthnError,
  type PublicKeyCredentialCreationOptionsJSON,
  type PublicKeyCredentialRequestOptionsJSON,
} from '@simplewebauthn/browser'
import type { CeremonyAnswer, Newcomer } from '#/api/types'
import { useSite } from '#/features/site/site'
import { api, dataOf } from '#/lib/http'
import { ReadableError } from '#/lib/readable-error'

const NOT_USED = 'No passkey was used. You can try again.'
const NOT_MADE = 'No passkey was made. You can try again.'
const MADE_BEFORE = 'This device has a passkey for your account already.'

/** Whether the site and this browser know passkeys; without both, none of their controls is shown. */
export function usePasskeys(): boolean {
  return useSite().passkeys && browserSupportsWebAuthn()
}

/** Whether this device itself can keep a passkey, and asks for a finger, a face or a code. */
export function canKeepPasskey(): Promise<boolean> {
  return platformAuthenticatorIsAvailable()
}

async function begin(body: { for: 'sign-in' | 'registration' } & Partial<Newcomer>) {
  const answer = await dataOf(api.POST('/api/v2/profiles/passkeys/options/', { body }))
  // The document knows the options as an object of WebAuthn's own.
  const options = answer.options as { publicKey: unknown }
  return { ceremony: answer.ceremony, publicKey: options.publicKey }
}

/** Has the browser ask for a passkey: in a dialog of its own, or among what it offers for the email field. */
export async function signWithPasskey(from: 'dialog' | 'field'): Promise<CeremonyAnswer> {
  const { ceremony, publicKey } = await begin({ for: 'sign-in' })
  const optionsJSON = publicKey as PublicKeyCredentialRequestOptionsJSON
  const credential = await readable(NOT_USED, () =>
    startAuthentication({ optionsJSON, useBrowserAutofill: from === 'field' }),
  )
  return answer(ceremony, credential)
}

/** Has the browser make a passkey: for the reader, or for the account of a guest. */
export async function makePasskey(newcomer?: Newcomer): Promise<CeremonyAnswer> {
  const { ceremony, publicKey } = await begin({ for: 'registration', ...newcomer })
  const optionsJSON = publicKey as PublicKeyCredentialCreationOptionsJSON
  const credential = await readable(NOT_MADE, () => startRegistration({ optionsJSON }))
  return answer(ceremony, credential)
}

function answer(ceremony: string, credential: object): CeremonyAnswer {
  return { ceremony, credential: credential as CeremonyAnswer['credential'] }
}

/** Whether this browser offers passkeys for the email field. */
export function offersPasskeysInFields(): Promise<boolean> {
  return browserSupportsWebAuthnAutofill()
}

/** Ends the browser's question, if there is one. */
export function askNoMore(): void {
  WebAuthnAbortService.cancelCeremony()
}

async function readable<T>(otherwise: string, ask: () => Promise<T>): Promise<T> {
  try {
    return await ask()
  } catch (error) {
    const isKnown =
      error instanceof WebAuthnError && error.code === 'ERROR_AUTHENTICATOR_PREVIOUSLY_REGISTERED'
    throw new ReadableError(isKnown ? MADE_BEFORE : otherwise, { cause: error })
  }
}
