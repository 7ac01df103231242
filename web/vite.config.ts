import { basename } from 'node:path'
import { fileURLToPath } from 'node:url'
import react from '@vitejs/plugin-react'
import { build, type Plugin, type Rolldown } from 'vite'
import { compression } from 'vite-plugin-compression2'

import { defineConfig } from 'vitest/config'

const api = process.env.API_URL ?? 'http://127.0.0.1:8080'

/**
 * Names a class after its sheet, `article_name`: the gateway's templates use that name
 * (gateway/src/pages/content). Sheets have unique names (src/styles/sheets.test.ts).
 */
function className(name: string, file: string): string {
  return `${basename(file.split('?')[0] ?? file, '.module.css')}_${name}`
}

const source = (path: string): string =>
  fileURLToPath(new URL(`./src/${path}.tsx`, import.meta.url))
const [MAIN, HOME] = [source('main'), source('routes/home')]
const [PLACE, ARTICLE] = [source('routes/place'), source('routes/article')]

/** The head, the filters and the address of lists, which every page with a list needs. */
const LISTS = /(ui\/(PageHead|KeywordSearch|SelectField)|grid\/FilterBar|lib\/use-address-query)\./

/** Parts of a library that only some pages use, although the file that exports the whole library imports them. */
const LATER =
  /react-query.*\/use(Queries|InfiniteQuery)\.js|query-core.*\/(queries|infiniteQuery)Observer\.js/

/**
 * * By default the bundler emits a file for each module that two pages share: dozens of a few hundred bytes. Here one
 * file contains the code of all pages and the code that the front page shares with articles or places; another
 * contains the rest of the front page, a third the code that only articles and places share, and a fourth the code of
 * lists.
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
    if (LATER.test(id)) return null
    const isOf = (page: string): boolean => closure(page, context).has(id)
    if (isOf(MAIN)) return 'first'
    // The pages themselves stay separate chunks, which the router loads.
    if ([HOME, PLACE, ARTICLE].includes(id)) return null
    if (isOf(HOME)) return isOf(PLACE) || isOf(ARTICLE) ? 'first' : 'front'
    if (isOf(PLACE) && isOf(ARTICLE)) return 'story'
    return LISTS.test(id) ? 'lists' : null
  }
}

/** Text and pictures load before scripts: readers read a page before they use it. */
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

/** Larger files, such as the map's code, are not needed for reading offline. */
const MAX_PRECACHED = 150_000

/** Builds the service worker with the names of the files that it stores: code, styles and the page's fonts. */
const serviceWorker: Plugin = {
  name: 'service-worker',
  apply: 'build',
  async writeBundle({ dir }, bundle) {
    const html = String((bundle['index.html'] as Rolldown.OutputAsset).source)
    const isNeeded = (file: string, size: number): boolean =>
      /\.(js|css)$/.test(file)
        ? size <= MAX_PRECACHED
        : file.endsWith('.woff2') && html.includes(file)
    const files = Object.values(bundle)
      .filter((file) => isNeeded(file.fileName, ('code' in file ? file.code : file.source).length))
      .map(({ fileName }) => `/${fileName}`)
    const script = /<script[^>]* src="([^"]+)"/.exec(html)?.[1]
    const styles = /<link rel="stylesheet"[^>]* href="([^"]+)"/.exec(html)?.[1]
    await build({
      configFile: false,
      logLevel: 'warn',
      publicDir: false,
      resolve: { alias: ALIAS },
      define: {
        __FILES__: JSON.stringify([script, ...files.filter((file) => file !== script)]),
        __STYLES__: JSON.stringify(styles),
        'process.env.NODE_ENV': JSON.stringify('production'),
      },
      build: {
        outDir: dir ?? 'dist',
        emptyOutDir: false,
        target: 'es2022',
        rolldownOptions: {
          input: fileURLToPath(new URL('./src/worker/worker.ts', import.meta.url)),
          output: { format: 'iife', entryFileNames: 'sw.js' },
        },
      },
    })
  },
}

const ALIAS = { '#': fileURLToPath(new URL('./src', import.meta.url)) }

export default defineConfig({
  css: { modules: { generateScopedName: className } },
  plugins: [
    react(),
    scriptsLast,
    serviceWorker,
    // The gateway sends these files unchanged, but renders pages from index.html and compresses them itself.
    compression({
      algorithms: ['brotliCompress', 'gzip'],
      include: /\.(js|css|svg)$/,
      threshold: 512,
    }),
  ],
  resolve: {
    alias: ALIAS,
  },
  build: {
    // The policy allows data: addresses only for pictures.
    assetsInlineLimit: 0,
    // One sheet: rules keep their order whichever page comes first.
    cssCodeSplit: false,
    modulePreload: { polyfill: false },
    // Lists the files that a page needs besides those of index.html, for the gateway.
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
    setupFiles: ['test/setup.ts'],
    restoreMocks: true,
    testTimeout: 20_000,
    // Nothing else runs at the same time; the default leaves one core idle.
    maxWorkers: '100%',
    css: { modules: { classNameStrategy: 'non-scoped' } },
    projects: [
      // Libraries of components keep state between files, such as open dialogs.
      { extends: true, test: { name: 'components', include: ['{src,workbench}/**/*.test.tsx'] } },
      // test/begin-file.ts separates the files of a worker, because making an environment takes longer than most tests.
      { extends: true, test: { name: 'modules', include: ['src/**/*.test.ts'], isolate: false } },
    ],
  },
})
