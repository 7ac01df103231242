import { test as base, type APIRequestContext } from '@playwright/test'
import { execFile, spawn, type ChildProcess } from 'node:child_process'
import { closeSync, mkdtempSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { promisify } from 'node:util'

export type Variant = 'guide' | 'news'

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
  url: string
}

interface SiteChanges {
  /** Sections to turn off. */
  without?: readonly Section[]
  /** Text to append to the site's file. */
  also?: string
  /** Files beside the site's file, by name. */
  files?: Record<string, string | Buffer>
  /** Settings of the program, as environment variables. */
  settings?: Record<string, string>
}

/** Starts the program with a variant's site file and the given changes; returns its address. */
export type Serve = (variant: Variant, change?: SiteChanges) => Promise<string>

/** The number of a worker's sites, of which the test may use more: each has many connections to the database. */
const SITES = 2

/** Tests that start their own sites. Tests of a worker share a site, unless it has its own settings. */
export const test = base.extend<{ serve: Serve }, { sites: Map<string, Running> }>({
  sites: [
    // oxlint-disable-next-line no-empty-pattern -- it names the fixtures that this one needs
    async ({}, provide) => {
      const sites = new Map<string, Running>()
      await provide(sites)
      await Promise.all([...sites.values()].map(end))
    },
    { scope: 'worker' },
  ],
  serve: async ({ request, sites }, provide) => {
    const own: Running[] = []
    const used = new Set<string>()
    /** Stops sites of earlier tests, the oldest first. */
    const makeRoom = async () => {
      const idle = [...sites].filter(([key]) => !used.has(key))
      const surplus = idle.slice(0, Math.max(0, sites.size + own.length - SITES + 1))
      for (const [key] of surplus) sites.delete(key)
      await Promise.all(surplus.map(([, site]) => end(site)))
    }
    await provide(async (variant, change = {}) => {
      const key = JSON.stringify([variant, change])
      used.add(key)
      let site = change.settings ? undefined : sites.get(key)
      if (!site) {
        await makeRoom()
        site = start(variant, change)
        if (change.settings) own.push(site)
        else sites.set(key, site)
      }
      await untilItAnswers(site, request)
      return site.url
    })
    await Promise.all(own.map(end))
  },
})

function start(variant: Variant, change: SiteChanges): Running {
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
  return { process: site, folder, log, url }
}

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

function siteFile(variant: Variant, { without = [], also = '' }: SiteChanges): string {
  const text = `${readFileSync(join(PROJECT, 'deploy/sites', `${variant}.toml`), 'utf8')}\n${also}`
  return without.reduce((changed, section) => {
    const line = new RegExp(`^${section} = true$`, 'm')
    if (!line.test(changed)) throw new Error(`${section} is not on in ${variant}.toml`)
    return changed.replace(line, `${section} = false`)
  }, text)
}

async function untilItAnswers(
  { process: site, log, url }: Running,
  request: APIRequestContext,
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
