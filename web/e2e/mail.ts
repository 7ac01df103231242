import { expect } from '@playwright/test'
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'

/** The mail folder of the tested site; by default the folder of `cargo xtask up`. */
const FOLDER = process.env.MAIL_FOLDER ?? join(import.meta.dirname, '../../.cityguide/mail')

/** A link to a page of accounts, with a secret after the hash. */
const ACCOUNT = /\/accounts\/[a-z-]+(\?undo)?#[\w-]+/

/**
 * The path, with its secret, of the link in the latest message to an address with these words in
 * its subject: to a page of accounts, or another link.
 */
export async function mailedLink(to: string, subject: string, form = ACCOUNT): Promise<string> {
  let link: string | undefined
  await expect
    .poll(() => (link = form.exec(letterTo(to, subject))?.[0]), {
      message: `${subject} to ${to}`,
    })
    .toBeTruthy()
  return link ?? ''
}

function letterTo(to: string, subject: string): string {
  const isWanted = (letter: string) =>
    letter.includes(`\r\nTo: ${to}\r\n`) &&
    (/^Subject: (.*)$/m.exec(letter)?.[1] ?? '').includes(subject)
  // Quoted-printable ends long lines with "=".
  return (letters().filter(isWanted).at(-1) ?? '').replaceAll('=\r\n', '')
}

/** The messages, the oldest first. */
function letters(): string[] {
  if (!existsSync(FOLDER)) return []
  return readdirSync(FOLDER)
    .filter((name) => name.endsWith('.eml'))
    .map((name) => join(FOLDER, name))
    .sort((a, b) => statSync(a).mtimeMs - statSync(b).mtimeMs)
    .map((file) => readFileSync(file, 'utf8'))
}
