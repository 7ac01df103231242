import { basename } from 'node:path'
import { fileURLToPath } from 'node:url'
import react from '@vitejs/plugin-react'
import type { Plugin, Rolldown } from 'vite'
import { compression } from 'vite-plugin-compression2'

import { defineConfig } from 'vitest/config'

const api = process.env.API_URL ?? 'http://127.0.0.1:8080'

/**
 * A class is named after its sheet, `article_name`: the gateway's templates know it by that name
 * (gateway/src/pages/content). Sheets share no name, which src/styles/sheets.test.ts holds.
 */
function className(name: string, file: string): string {
  return `${basename(file.split('?')[0] ?? file, '.module.css')}_${name}`
}

const source = (path: string): string =>
  fileURLToPath(new URL(`./src/${path}.tsx`, import.meta.url))
const [MAIN, HOME] = [source('main'), source('routes/home')]
const [PLACE, ARTICLE] = [source('routes/place'), source('routes/article')]

/**
 * By itself the bundler makes a file of each piece that two pages share: dozens, of some hundred bytes each.
 * Here what all pages need is one file, with the cards that lead from page to page; what else the front page
 * needs is another, and so is what stories and places have in common.
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
    // The pages themselves stay what the router asks for.
    if ([HOME, PLACE, ARTICLE].includes(id)) return null
    if (isOf(HOME)) return isOf(PLACE) || isOf(ARTICLE) ? 'first' : 'front'
    return isOf(PLACE) && isOf(ARTICLE) ? 'story' : null
  }
}

/** A page is there to be read before it is there to be used: its words and pictures come first. */
const scriptsLast: Plugin = {
  name: 'scripts-last',
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
    // The gateway sends these as they are; of index.html it makes pages, and compresses those itself.
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
    // Nothing may arrive as a data: address but small pictures, and there are none.
    assetsInlineLimit: 0,
    // One sheet: rules keep their order whichever page comes first.
    cssCodeSplit: false,
    modulePreload: { polyfill: false },
    // The gateway learns from it which files a page needs beside those of index.html.
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
    include: ['src/**/*.test.{ts,tsx}'],
    setupFiles: ['test/setup.ts'],
    restoreMocks: true,
    testTimeout: 20_000,
    css: { modules: { classNameStrategy: 'non-scoped' } },
  },
})
