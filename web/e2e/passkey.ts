import { expect, type Page } from '@playwright/test'
import type { Reader } from './reader'

/** Adds a virtual device that stores passkeys and confirms everything. */
export async function addAuthenticator(page: Page) {
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
    /** Whether the device's owner confirms. */
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

/** Disables passkeys in the email field, for a reader who uses the button. */
export async function disablePasskeysInFields(page: Page): Promise<void> {
  await page.addInitScript(() => {
    PublicKeyCredential.isConditionalMediationAvailable = async () => false
  })
}
