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
import { api } from '#/lib/api'
import { dataOf } from '#/lib/http'
import { ReadableError } from '#/lib/readable-error'

const NOT_USED = 'No passkey was used. You can try again.'
const NOT_CREATED = 'No passkey was made. You can try again.'
const ALREADY_CREATED = 'This device has a passkey for your account already.'

/** Whether both the site and this browser support passkeys. */
export function usePasskeys(): boolean {
  return useSite().passkeys && browserSupportsWebAuthn()
}

/** Whether this device itself can store a passkey. */
export function canStorePasskey(): Promise<boolean> {
  return platformAuthenticatorIsAvailable()
}

async function startCeremony(body: { for: 'sign-in' | 'registration' } & Partial<Newcomer>) {
  const answer = await dataOf(api.POST('/api/v2/profiles/passkeys/options/', { body }))
  // The OpenAPI document has a plain object here.
  const options = answer.options as { publicKey: unknown }
  return { ceremony: answer.ceremony, publicKey: options.publicKey }
}

/** Requests a passkey from the browser: in its own dialog, or among its suggestions for the email field. */
export async function requestPasskey(from: 'dialog' | 'field'): Promise<CeremonyAnswer> {
  const { ceremony, publicKey } = await startCeremony({ for: 'sign-in' })
  const optionsJSON = publicKey as PublicKeyCredentialRequestOptionsJSON
  const credential = await readable(NOT_USED, () =>
    startAuthentication({ optionsJSON, useBrowserAutofill: from === 'field' }),
  )
  return toCeremonyAnswer(ceremony, credential)
}

/** Creates a passkey in the browser: for the reader, or for a guest's new account. */
export async function createPasskey(newcomer?: Newcomer): Promise<CeremonyAnswer> {
  const { ceremony, publicKey } = await startCeremony({ for: 'registration', ...newcomer })
  const optionsJSON = publicKey as PublicKeyCredentialCreationOptionsJSON
  const credential = await readable(NOT_CREATED, () => startRegistration({ optionsJSON }))
  return toCeremonyAnswer(ceremony, credential)
}

function toCeremonyAnswer(ceremony: string, credential: object): CeremonyAnswer {
  return { ceremony, credential: credential as CeremonyAnswer['credential'] }
}

/** Whether this browser offers passkeys in the email field. */
export function offersPasskeysInFields(): Promise<boolean> {
  return browserSupportsWebAuthnAutofill()
}

/** Ends the browser's open passkey request, if there is one. */
export function cancelPasskeyPrompt(): void {
  WebAuthnAbortService.cancelCeremony()
}

async function readable<T>(otherwise: string, ask: () => Promise<T>): Promise<T> {
  try {
    return await ask()
  } catch (error) {
    const isKnown =
      error instanceof WebAuthnError && error.code === 'ERROR_AUTHENTICATOR_PREVIOUSLY_REGISTERED'
    throw new ReadableError(isKnown ? ALREADY_CREATED : otherwise, { cause: error })
  }
}
