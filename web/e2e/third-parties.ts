import { expect } from '@playwright/test'
import { spawn } from 'node:child_process'
import { env, nextPort } from './sites'

/** The stand-in for a third party, in its own process. */
interface StandIn {
  pid: number
  url: string
  stop(): void
}

/** Starts a stand-in, and waits until it answers. */
export async function startStandIn(name: 'google' | 'facebook', page: string): Promise<StandIn> {
  const port = nextPort()
  const url = `http://127.0.0.1:${port}`
  // It ends with its standard input, at the latest with this process.
  const program = spawn(env('THIRD_PARTIES'), [`${name}=${port}`], {
    stdio: ['pipe', 'ignore', 'inherit'],
  })
  const answers = () =>
    fetch(url + page).then(
      () => true,
      () => false,
    )
  await expect.poll(answers, { message: `the stand-in for ${name}`, intervals: [50] }).toBe(true)
  return { pid: program.pid ?? 0, url, stop: () => program.stdin.end() }
}

/** The settings of a site that uses stand-ins, with the credentials of its clients there. */
export function settingsWith(clients: Record<string, string>): Record<string, string> {
  return {
    CITYGUIDE__INTERNAL__KEY: 'a key of this test alone, as long as it must be',
    ...clients,
  }
}
