import { defineConfig } from '@playwright/test'

// With SCREENSHOTS, the name of a folder, only the screenshots are taken.
const takesScreenshots = Boolean(process.env.SCREENSHOTS)

/** How to start the browser, in tests and benchmarks. */
export const launchOptions = {
  executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium-headless-shell',
  args: [
    '--no-sandbox',
    // Maps need WebGL, which is emulated without a graphics card. Pages are drawn without it, which
    // is faster.
    '--disable-gpu-compositing',
    '--use-angle=swiftshader',
    '--enable-unsafe-swiftshader',
    '--disable-quic',
    '--no-first-run',
    '--disable-background-networking',
    '--disable-component-update',
    '--disable-sync',
  ],
}

export default defineConfig({
  testDir: 'e2e',
  workers: 2,
  // Only failing tests take so long, even on a slow machine.
  timeout: 180_000,
  expect: { timeout: 30_000 },
  // The end of the run lists the tests that needed a retry.
  retries: 1,
  // A full run summarises its failures from this file.
  reporter: process.env.PLAYWRIGHT_JUNIT_OUTPUT_FILE
    ? [['list'], ['junit', { includeRetries: true }]]
    : [['list']],
  forbidOnly: true,
  use: {
    baseURL: process.env.BASE_URL ?? 'http://localhost:8080',
    // A trace of every test would take a third of the time.
    trace: 'on-first-retry',
    screenshot: takesScreenshots ? 'off' : 'only-on-failure',
    launchOptions,
    // Tests that replace answers need requests that no worker makes.
    serviceWorkers: 'block',
    // Drawing transitions takes a quarter of the browser's time, and axe needs final colours. Tests
    // of motion override this.
    contextOptions: { reducedMotion: 'reduce' },
  },
  projects: takesScreenshots
    ? [{ name: 'screenshots', grep: /@screenshots/, workers: 1 }]
    : [{ name: 'chromium', grepInvert: /@screenshots/ }],
})
