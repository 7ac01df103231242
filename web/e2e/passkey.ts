import { expect, type Page } from '@playwright/test'
import type { Reader } from './reader'

/** Gives the browser a device that can keep passkeys, and whose owner agrees to everything. */
export async function plugIn(page: Page) {
  const devtools = await page.context().newCDPSession(page)
  await devtools.send('WebAuthn.enable')
  const { authenticatorId } = await devtools.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  })
  return {
    passkeys: async () =>
      (await devtools.send('WebAuthn.getCredentials', { authenticatorId })).credentials.length,
    /** Whether its owner agrees, or walks away. */
    agree: (enabled: boolean) =>
      devtools.send('WebAuthn.setAutomaticPresenceSimulation', { authenticatorId, enabled }),
    refuse: () =>
      devtools.send('WebAuthn.setUserVerified', { authenticatorId, isUserVerified: false }),
  }
}

export async function signUpByPasskey(page: Page, reader: Reader): Promise<void> {
  const dialog = page.getByRole('dialog', { name: 'Create your free account' })
  await dialog.getByLabel('Full name').fill(reader.name)
  await dialog.getByLabel('Email', { exact: true }).fill(reader.email)
  const loaded = page.waitForEvent('load')
  await dialog.getByRole('button', { name: 'Sign up with a passkey' }).click()
  await loaded
  await expect(page.getByRole('button', { name: 'Your account', exact: true })).toBeVisible()
}

export async function logInByPasskey(page: Page): Promise<void> {
  const dialog = page.getByRole('dialog', { name: 'Sign up or Log in' })
  const loaded = page.waitForEvent('load')
  await dialog.getByRole('button', { name: 'Log in with a passkey' }).click()
  await loaded
  await expect(page.getByRole('button', { name: 'Your account', exact: true })).toBeVisible()
}

/** The browser of a reader who uses the button. */
export async function offerNoneInFields(page: Page): Promise<void> {
  await page.addInitScript(() => {
    PublicKeyCredential.isConditionalMediationAvailable = async () => false
  })
}
