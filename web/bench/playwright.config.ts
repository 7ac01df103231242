import { defineConfig } from '@playwright/test'
import { launchOptions } from '../playwright.config'

/** Not a test: it loads pages and records the costs, without limits (`cargo xtask bench web`). */
export default defineConfig({
  testMatch: 'first-page.ts',
  workers: 1,
  // A round takes half a minute or more.
  timeout: 60 * 60_000,
  expect: { timeout: 90_000 },
  reporter: [['line']],
  reportSlowTests: null,
  use: { baseURL: process.env.BASE_URL ?? '', launchOptions },
})
