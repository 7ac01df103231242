import { expect, type Page } from '@playwright/test'
import { createServer, request as ask, type Server } from 'node:http'
import { rmSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import { applicationRendered } from './layout'
import { makeSecondRelease } from './second-release'
import { test } from './sites'

test.use({ serviceWorkers: 'allow' })

/** Serves other sites, one at a time, at one address. */
class OneAddress {
  readonly #server: Server
  target = ''

  constructor() {
    this.#server = createServer((incoming, outgoing) => {
      const { hostname, port } = new URL(this.target)
      const headers = { ...incoming.headers, host: `${hostname}:${port}` }
      const { method, url: path } = incoming
      const forwarded = ask({ hostname, port, method, path, headers }, (response) => {
        outgoing.writeHead(response.statusCode ?? 502, response.headers)
        response.pipe(outgoing)
      })
      forwarded.on('error', () => outgoing.destroy())
      incoming.pipe(forwarded)
    })
  }

  async listen(): Promise<string> {
    await new Promise<void>((resolve) => this.#server.listen(0, '127.0.0.1', resolve))
    return `http://localhost:${(this.#server.address() as AddressInfo).port}`
  }

  close(): void {
    this.#server.closeAllConnections()
    this.#server.close()
  }
}

/** The stored pages by their caches, which are named after their releases. */
function stored(page: Page): Promise<Record<string, string[]>> {
  return page.evaluate(async () => {
    const names = (await caches.keys()).filter((name) => name.startsWith('pages:'))
    const entries = names.map(async (name) => {
      const keys = await (await caches.open(name)).keys()
      return [name, keys.map(({ url }) => new URL(url).pathname)] as const
    })
    return Object.fromEntries(await Promise.all(entries))
  })
}

/** The releases of the scripts that the document names: 1 or 2. */
function releases(page: Page): Promise<number[]> {
  return page.evaluate(() => {
    const scripts = document.querySelectorAll<HTMLScriptElement>('script[src]')
    return [...new Set([...scripts].map(({ src }) => (src.endsWith('-2.js') ? 2 : 1)))]
  })
}

async function open(page: Page, address: string, release: number): Promise<void> {
  await page.goto(address)
  await applicationRendered(page)
  expect(await releases(page)).toEqual([release])
}

test('an update of the site never mixes two releases, online or offline', async ({
  context,
  serve,
}) => {
  const folder = makeSecondRelease()
  const address = new OneAddress()
  const url = await address.listen()
  const [first, second] = [
    await serve('guide'),
    await serve('guide', { settings: { CITYGUIDE__WEB__ROOT: folder } }),
  ]
  address.target = first
  const page = await context.newPage()
  const failed: string[] = []
  page.on('pageerror', ({ message }) => failed.push(message))
  await open(page, `${url}/`, 1)
  await open(page, `${url}/news/`, 1)
  const paths = async () => Object.values(await stored(page)).flat()
  await expect.poll(paths).toEqual(expect.arrayContaining(['/', '/news/']))
  const [former] = Object.keys(await stored(page))

  // The new release is installed, but waits for the open page; its pages are not stored with the files of the former one.
  address.target = second
  await open(page, `${url}/events/`, 2)
  const isWaiting = () =>
    page.evaluate(async () => {
      const registration = await navigator.serviceWorker.getRegistration()
      return registration?.waiting != null
    })
  await expect.poll(isWaiting).toBe(true)
  expect(Object.keys(await stored(page))).toEqual([former])
  expect(await paths()).not.toContain('/events/')
  await context.setOffline(true)
  await open(page, `${url}/news/`, 1)
  await context.setOffline(false)

  // Once no page of the former release is open, the new one replaces it and its pages.
  await page.goto('about:blank')
  const later = await context.newPage()
  later.on('pageerror', ({ message }) => failed.push(message))
  await page.close()
  await open(later, `${url}/places/`, 2)
  await expect.poll(async () => Object.keys(await stored(later))).not.toContain(former)
  const pages = async () => Object.values(await stored(later)).flat()
  await expect.poll(pages).toEqual(expect.arrayContaining(['/', '/news/']))
  await context.setOffline(true)
  await open(later, `${url}/news/`, 2)
  expect(failed).toEqual([])
  await context.close()
  address.close()
  rmSync(folder, { recursive: true })
})
