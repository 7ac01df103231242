import { mkdirSync, writeFileSync } from 'node:fs'
import { get } from 'node:http'
import { dirname, join } from 'node:path'
import { brotliCompressSync, brotliDecompressSync } from 'node:zlib'
import { compressed } from '../e2e/critical-css'

/** Text files, which nginx sends as brotli (deploy/xtask/src/nginx.rs). */
const TEXT = /\.(html|css|js|svg)$/

interface SentBody {
  body: Buffer
  isBrotli: boolean
}

/**
 * * Saves a page of the site as a static page: without its scripts, their preloads and the API's answers for them,
 * but with its sheet, fonts and pictures, with the exact bytes of the site's text.
 */
export async function saveStatic(site: string, path: string, folder: string): Promise<void> {
  const { body, isBrotli } = await fetched(site + path)
  const html = withoutScripts((isBrotli ? brotliDecompressSync(body) : body).toString())
  save(folder, join(staticPath(path), 'index.html'), compressed(Buffer.from(html)))
  const sheets: string[] = []
  for (const address of addresses(html)) {
    const answer = await fetched(site + address)
    saveAs(folder, address, answer)
    if (address.endsWith('.css')) sheets.push(address)
  }
  if (sheets.length === 0) throw new Error(`${path} has no sheet`)
}

/** The path of a page's static page, which is a folder. */
export function staticPath(path: string): string {
  const { pathname } = new URL(path, 'http://localhost')
  return pathname.endsWith('/') ? pathname : `${pathname}/`
}

/** Saves a built file as the site would send it, compressed at the highest level. */
export function saveBuilt(folder: string, path: string, body: Buffer): void {
  saveAs(folder, path, { body, isBrotli: false })
}

/** Keeps the structured data, which a static page would contain for search engines too. */
function withoutScripts(html: string): string {
  return html
    .replace(/<script\b(?![^>]*application\/ld\+json)[^>]*>[\s\S]*?<\/script>\s*/g, '')
    .replace(/<link rel="modulepreload"[^>]*>\s*/g, '')
}

/** The addresses that the page fetches from the site: those in its links, pictures and their sources. */
function addresses(html: string): Set<string> {
  const found = new Set<string>()
  for (const [tag] of html.matchAll(/<(?:img|source|link)\b[^>]*>/g)) {
    // Links to other pages are not fetched.
    if (tag.startsWith('<link') && !/rel="(?:stylesheet|preload|icon|manifest)"/.test(tag)) continue
    for (const [, name, value = ''] of tag.matchAll(/\b(src|srcset|href)="([^"]*)"/g)) {
      const several = name === 'srcset' ? value.split(',') : [value]
      for (const one of several) {
        const address = one.trim().split(/\s/)[0] ?? ''
        if (address.startsWith('/')) found.add(address)
      }
    }
  }
  return found
}

function saveAs(folder: string, path: string, { body, isBrotli }: SentBody): void {
  const isText = TEXT.test(path)
  if (isText === isBrotli) save(folder, path, body)
  else save(folder, path, isText ? brotliCompressSync(body) : brotliDecompressSync(body))
}

function save(folder: string, path: string, bytes: Buffer): void {
  const file = join(folder, path)
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, bytes)
}

/** The body as it is sent, still compressed, which neither `fetch` nor Playwright returns. */
function fetched(url: string): Promise<SentBody> {
  return new Promise((resolve, reject) => {
    const request = get(url, { headers: { 'accept-encoding': 'br' } }, (response) => {
      const parts: Buffer[] = []
      response.on('data', (part: Buffer) => parts.push(part))
      response.on('error', reject)
      response.on('end', () => {
        if (response.statusCode !== 200) {
          reject(new Error(`${url}: status ${response.statusCode ?? 'missing'}`))
          return
        }
        const isBrotli = response.headers['content-encoding'] === 'br'
        resolve({ body: Buffer.concat(parts), isBrotli })
      })
    })
    request.on('error', reject)
  })
}
