import { basename } from 'node:path'
import { fileURLToPath } from 'node:url'
import react from '@vitejs/plugin-react'
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

export default defineConfig({
  css: { modules: { generateScopedName: className } },
  plugins: [
    react(),
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
