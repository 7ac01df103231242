import { defineConfig } from 'vitest/config'
import application from '../vite.config'

/** The comparison of the pages that `cargo xtask test unit` writes with the application's rendering of them. */
export default defineConfig({
  ...application,
  test: {
    // Each page has a separate window (page.ts).
    environment: 'node',
    include: ['renderings/*.test.ts'],
    testTimeout: 60_000,
    // A difference in the frame fails every page, and each waits for the application's requests first.
    bail: 5,
    // Nothing else runs at the same time; the default leaves one core idle.
    maxWorkers: '100%',
    // The classes of the build.
    css: { include: /\.module\.css$/, modules: { classNameStrategy: 'scoped' } },
  },
})
