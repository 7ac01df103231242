import { defineConfig } from '@playwright/test'

// With SCREENSHOTS, the name of a folder, only the screenshots are taken.
const takesScreenshots = Boolean(process.env.SCREENSHOTS)

/** Journeys that measure time, or what moves while a page loads. */
const TIMED = /(carousel|favourite-journey|first-load|motion)\.spec\.ts$/

/** How the browser is started, also by the bench. */
export const launchOptions = {
  executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium-headless-shell',
  args: [
    '--no-sandbox',
    '--disable-gpu',
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
  timeout: 60_000,
  expect: { timeout: 10_000 },
  // A run of all tests names the file from which it sums up what failed.
  reporter: process.env.PLAYWRIGHT_JUNIT_OUTPUT_FILE ? [['list'], ['junit']] : [['list']],
  forbidOnly: true,
  use: {
    baseURL: process.env.BASE_URL ?? 'http://localhost:8080',
    // A trace of each test takes a third of its time: `--trace on` asks for one.
    trace: 'off',
    screenshot: takesScreenshots ? 'off' : 'only-on-failure',
    launchOptions,
  },
  projects: takesScreenshots
    ? [{ name: 'screenshots', grep: /@screenshots/, workers: 1 }]
    : [
        { name: 'chromium', grepInvert: /@screenshots/, testIgnore: TIMED },
        // After the others, one by one: a browser beside them would change what they measure.
        { name: 'timed', testMatch: TIMED, workers: 1, dependencies: ['chromium'] },
      ],
})
