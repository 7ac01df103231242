import { expect } from '@playwright/test'
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'

/** The folder that the site under test writes its mail to; that of `cargo xtask up` if none is named. */
const FOLDER = process.env.MAIL_FOLDER ?? join(import.meta.dirname, '../../.cityguide/mail')

/** The path, with the secret, of the link in the latest letter to an address with these words in its subject. */
export async function mailedLink(to: string, subject: string): Promise<string> {
  let link: string | undefined
  await expect
    .poll(() => (link = linkIn(to, subject)), { message: `${subject} to ${to}`, timeout: 20_000 })
    .toBeTruthy()
  return link ?? ''
}

function linkIn(to: string, subject: string): string | undefined {
  const isWanted = (letter: string) =>
    letter.includes(`\r\nTo: ${to}\r\n`) &&
    (/^Subject: (.*)$/m.exec(letter)?.[1] ?? '').includes(subject)
  // Quoted-printable ends long lines with "=".
  const letter = letters().filter(isWanted).at(-1)?.replaceAll('=\r\n', '')
  return /\/accounts\/[a-z-]+#[\w-]+/.exec(letter ?? '')?.[0]
}

/** The letters, the oldest first. */
function letters(): string[] {
  if (!existsSync(FOLDER)) return []
  return readdirSync(FOLDER)
    .filter((name) => name.endsWith('.eml'))
    .map((name) => join(FOLDER, name))
    .sort((a, b) => statSync(a).mtimeMs - statSync(b).mtimeMs)
    .map((file) => readFileSync(file, 'utf8'))
}
