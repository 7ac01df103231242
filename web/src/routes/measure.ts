import type { RegisteredRouter } from '@tanstack/react-router'
import { queryClient } from '#/features/session/current'
import { measure } from '#/features/telemetry/telemetry'
import { pageAt } from './measured-page'

/** Measures the application's pages from now on. */
export function measurePages(router: RegisteredRouter): void {
  measure({ router, client: queryClient, pageAt })
}
