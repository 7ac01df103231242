import { expect } from '@playwright/test'
import { dkimVerify } from 'mailauth'
import { generateKeyPairSync } from 'node:crypto'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import PostalMime, { type Email } from 'postal-mime'
import { SMTPServer } from 'smtp-server'
import { env, test as base } from './sites'

const SELECTOR = 'city'
const DOMAIN = 'guide.example'

interface Letter {
  to: string
  raw: string
  mail: Email
}

/** A mail server that receives a site's mail. */
interface MailServer {
  /** The settings of such a site, with its own database. */
  settings: Record<string, string>
  /** The received messages, the oldest first. */
  letters: Letter[]
  /** Waits for a message with these words in its subject. */
  letter(to: string, subject: string): Promise<Letter>
  /** The result of verifying a message's signature with the domain's key: `pass`. */
  verify(letter: Letter): Promise<string | undefined>
}

/** Tests on a site whose mail is signed and sent to a server. */
export const test = base.extend<{ mailServer: MailServer }>({
  // Playwright requires the braces.
  // oxlint-disable-next-line no-empty-pattern
  mailServer: async ({}, provide) => {
    const letters: Letter[] = []
    const server = new SMTPServer({
      authOptional: true,
      disabledCommands: ['STARTTLS'],
      onData(stream, { envelope }, done) {
        const chunks: Buffer[] = []
        stream.on('data', (chunk: Buffer) => chunks.push(chunk))
        stream.on('end', () => {
          const raw = Buffer.concat(chunks).toString('utf8')
          const to = envelope.rcptTo[0]?.address ?? ''
          PostalMime.parse(raw).then((mail) => {
            letters.push({ to, raw, mail })
            done()
          }, done)
        })
      },
    }).listen(0, '127.0.0.1')
    await once(server, 'listening')
    const { port } = server.address() as AddressInfo
    const { privateKey, publicKey } = generateKeyPairSync('rsa', {
      modulusLength: 2048,
      privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
      publicKeyEncoding: { type: 'spki', format: 'der' },
    })
    const record = `v=DKIM1; k=rsa; p=${publicKey.toString('base64')}`
    const resolver = (name: string) =>
      Promise.resolve(name === `${SELECTOR}._domainkey.${DOMAIN}` ? [[record]] : [])
    await provide({
      letters,
      settings: {
        CITYGUIDE__DATABASE__URL: env('MAIL_SERVER_DATABASE'),
        CITYGUIDE__CONTACT__TO: `editor@${DOMAIN}`,
        CITYGUIDE__MAIL__FROM: `City Guide <post@${DOMAIN}>`,
        CITYGUIDE__MAIL__HOST: '127.0.0.1',
        CITYGUIDE__MAIL__PORT: String(port),
        CITYGUIDE__MAIL__SECURITY: 'none',
        CITYGUIDE__MAIL__DKIM__DOMAIN: DOMAIN,
        CITYGUIDE__MAIL__DKIM__SELECTOR: SELECTOR,
        CITYGUIDE__MAIL__DKIM__KEY: privateKey,
        CITYGUIDE__NEWSLETTERS__POSTAL_ADDRESS: '1 Queen Street West, Toronto',
      },
      letter: async (to, subject) => {
        const found = () =>
          letters.find((one) => one.to === to && (one.mail.subject ?? '').includes(subject))
        await expect.poll(found, { message: `${subject} to ${to}` }).toBeTruthy()
        return found() as Letter
      },
      verify: async ({ raw }) => {
        const { results } = await dkimVerify(raw, { resolver })
        return results[0]?.status.result
      },
    })
    // The site's open connections end with the server.
    server.close()
  },
})
