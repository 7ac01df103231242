import { test as base, type APIRequestContext } from '@playwright/test'
import { execFile, spawn, type ChildProcess } from 'node:child_process'
import { closeSync, mkdtempSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { promisify } from 'node:util'

export const VARIANTS = ['guide', 'news'] as const
type Variant = (typeof VARIANTS)[number]

/** The sections of a site that can be off. */
export const SECTIONS = [
  'listings',
  'best_of',
  'neighbourhoods',
  'articles',
  'events',
  'contests',
  'videos',
] as const
export type Section = (typeof SECTIONS)[number]

export const PROJECT = join(import.meta.dirname, '../..')

/** The timeout for a site's start, in ms: several sites and browsers may share few cores. */
const STARTED_WITHIN = 90_000

interface Running {
  process: ChildProcess
  folder: string
  /** The log file. */
  log: string
}

interface SiteChanges {
  /** A section to turn off. */
  without?: Section
  /** Text to append to the site's file. */
  also?: string
  /** Files beside the site's file, by name. */
  files?: Record<string, string | Buffer>
  /** Settings of the program, as environment variables. */
  settings?: Record<string, string>
}

/** Starts the program with a variant's site file and the given changes; returns its address. */
export type Serve = (variant: Variant, change?: SiteChanges) => Promise<string>

/** Tests that start their own sites, which are stopped at the end of the test. */
export const test = base.extend<{ serve: Serve }>({
  serve: async ({ request }, provide) => {
    const started: Running[] = []
    await provide(async (variant, change = {}) => {
      const port = nextPort()
      const folder = mkdtempSync(join(tmpdir(), 'cityguide-site-'))
      const file = join(folder, 'site.toml')
      writeFileSync(file, siteFile(variant, change))
      for (const [name, content] of Object.entries(change.files ?? {})) {
        writeFileSync(join(folder, name), content)
      }
      const url = `http://localhost:${port}`
      const log = join(folder, 'log')
      const output = openSync(log, 'a')
      const site = spawn(env('OTHERS_PROGRAM'), ['serve'], {
        cwd: PROJECT,
        stdio: ['ignore', output, output],
        env: {
          ...environment(change.settings),
          CITYGUIDE__SITE__FILE: file,
          CITYGUIDE__SITE__URL: url,
          CITYGUIDE__HTTP__LISTEN: `127.0.0.1:${port}`,
        },
      })
      closeSync(output)
      const running = { process: site, folder, log }
      started.push(running)
      await untilItAnswers(running, request, url)
      return url
    })
    await Promise.all(started.map(end))
  },
})

/** The environment of the program, with a test's own settings. */
function environment(settings: Record<string, string> = {}): NodeJS.ProcessEnv {
  return {
    ...process.env,
    CITYGUIDE__DATABASE__URL: env('OTHERS_DATABASE'),
    CITYGUIDE__BLOBS__FOLDER: join(env('OTHERS_DATA'), 'blobs'),
    CITYGUIDE__MAIL__FOLDER: join(env('OTHERS_DATA'), 'mail'),
    CITYGUIDE__WEB__ROOT: 'web/dist',
    CITYGUIDE__SITE__FILE: join(PROJECT, 'deploy/sites/guide.toml'),
    CITYGUIDE__HTTP__INTERNAL_LISTEN: '127.0.0.1:0',
    // Several sites and browsers share few cores.
    CITYGUIDE__RPC__READ_TIMEOUT_MILLISECONDS: '5000',
    ...settings,
  }
}

/** Runs a command of the program with a test's own settings; returns its output. */
export async function command(
  settings: Record<string, string>,
  ...words: string[]
): Promise<string> {
  const program = env('OTHERS_PROGRAM')
  const ended = promisify(execFile)(program, words, {
    cwd: PROJECT,
    env: environment(settings),
  })
  return (await ended).stdout
}

export function env(name: string): string {
  const value = process.env[name]
  if (!value) throw new Error(`${name} is not set: run "cargo xtask test browser"`)
  return value
}

function siteFile(variant: Variant, { without, also = '' }: SiteChanges): string {
  const text = `${readFileSync(join(PROJECT, 'deploy/sites', `${variant}.toml`), 'utf8')}\n${also}`
  if (!without) return text
  const line = new RegExp(`^${without} = true$`, 'm')
  if (!line.test(text)) throw new Error(`${without} is not on in ${variant}.toml`)
  return text.replace(line, `${without} = false`)
}

async function untilItAnswers(
  { process: site, log }: Running,
  request: APIRequestContext,
  url: string,
): Promise<void> {
  const deadline = Date.now() + STARTED_WITHIN
  while (!(await answers(request, url))) {
    if (site.exitCode !== null || Date.now() > deadline) {
      const state = site.exitCode === null ? 'does not answer' : `ended with ${site.exitCode}`
      throw new Error(`the site ${state}; its log:\n${readFileSync(log, 'utf8').slice(-2_000)}`)
    }
    await setTimeout(50)
  }
}

async function answers(request: APIRequestContext, url: string): Promise<boolean> {
  try {
    return (await request.get(`${url}/api/v2/site/`, { timeout: 5_000 })).ok()
  } catch {
    return false
  }
}

let portsGiven = 0

/** A port for this worker's programs. Each is reused after all the others. */
export function nextPort(): number {
  const { config, parallelIndex } = test.info()
  const own = env('PORTS')
    .split(',')
    .filter((_, at) => at % config.workers === parallelIndex)
  return Number(own[portsGiven++ % own.length])
}

async function end({ process: site, folder }: Running): Promise<void> {
  if (site.exitCode === null) {
    const ended = new Promise((exit) => site.once('exit', exit))
    site.kill('SIGKILL')
    await ended
  }
  rmSync(folder, { recursive: true, force: true })
}
