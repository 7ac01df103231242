import { basename } from 'node:path'
import { fileURLToPath } from 'node:url'
import react from '@vitejs/plugin-react'
import type { Plugin, Rolldown } from 'vite'
import { compression } from 'vite-plugin-compression2'

import { defineConfig } from 'vitest/config'

const api = process.env.API_URL ?? 'http://127.0.0.1:8080'

/**
 * A class is named after its sheet, `article_name`: the gateway's templates know it by that name
 * (gateway/src/pages/content). No two sheets share a name (src/styles/sheets.test.ts).
 */
function className(name: string, file: string): string {
  return `${basename(file.split('?')[0] ?? file, '.module.css')}_${name}`
}

const source = (path: string): string =>
  fileURLToPath(new URL(`./src/${path}.tsx`, import.meta.url))
const [MAIN, HOME] = [source('main'), source('routes/home')]
const [PLACE, ARTICLE] = [source('routes/place'), source('routes/article')]

/**
 * By default the bundler emits a file for each module that two pages share: dozens of a few hundred bytes.
 * Here one file holds what all pages need and what the front page shares with articles or places; another
 * has the rest of the front page, and a third what only articles and places share.
 */
function pieces(): (id: string, context: Rolldown.ChunkingContext) => string | null {
  const closures = new Map<string, Set<string>>()
  const closure = (page: string, context: Rolldown.ChunkingContext): Set<string> => {
    const found = closures.get(page) ?? new Set([page])
    if (closures.has(page)) return found
    for (const known of found) {
      for (const imported of context.getModuleInfo(known)?.importedIds ?? []) found.add(imported)
    }
    closures.set(page, found)
    return found
  }
  return (id, context) => {
    const isOf = (page: string): boolean => closure(page, context).has(id)
    if (isOf(MAIN)) return 'first'
    // The pages themselves stay chunks of their own, which the router loads.
    if ([HOME, PLACE, ARTICLE].includes(id)) return null
    if (isOf(HOME)) return isOf(PLACE) || isOf(ARTICLE) ? 'first' : 'front'
    return isOf(PLACE) && isOf(ARTICLE) ? 'story' : null
  }
}

/** Text and pictures load before scripts: a page is read before it is used. */
const scriptsLast: Plugin = {
  name: 'scripts-last',
  // The development server has inline scripts, which are longer than a line.
  apply: 'build',
  transformIndexHtml: {
    order: 'post',
    handler: (html) => {
      const last: string[] = []
      const before = html.replace(
        /^\s*(<script type="module"|<link rel="modulepreload")(.*)\n/gm,
        (_, tag: string, rest: string) => {
          last.push(`    ${tag} fetchpriority="low"${rest}\n`)
          return ''
        },
      )
      return before.replace(/^\s*<\/body>/m, `${last.join('')}  </body>`)
    },
  },
}

export default defineConfig({
  css: { modules: { generateScopedName: className } },
  plugins: [
    react(),
    scriptsLast,
    // The gateway sends these as they are; it makes pages of index.html and compresses those itself.
    compression({
      algorithms: ['brotliCompress', 'gzip'],
      include: /\.(js|css|svg)$/,
      threshold: 512,
    }),
  ],
  resolve: {
    alias: { '#': fileURLToPath(new URL('./src', import.meta.url)) },
  },
  build: {
    // No data: addresses: the policy allows them for pictures only.
    assetsInlineLimit: 0,
    // One sheet: rules keep their order whichever page comes first.
    cssCodeSplit: false,
    modulePreload: { polyfill: false },
    // Tells the gateway which files a page needs besides those of index.html.
    manifest: true,
    rolldownOptions: {
      output: {
        codeSplitting: { groups: [{ name: pieces() }] },
      },
    },
    target: 'es2022',
  },
  server: {
    proxy: { '/api': api, '/media': api },
  },
  test: {
    environment: 'jsdom',
    environmentOptions: { jsdom: { url: 'http://localhost:3000/' } },
    include: ['{src,workbench}/**/*.test.{ts,tsx}'],
    setupFiles: ['test/setup.ts'],
    restoreMocks: true,
    testTimeout: 20_000,
    // Nothing else runs meanwhile; the default leaves one core idle.
    maxWorkers: '100%',
    css: { modules: { classNameStrategy: 'non-scoped' } },
  },
})
