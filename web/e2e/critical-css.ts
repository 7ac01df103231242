import { brotliCompressSync, constants } from 'node:zlib'
import type { Page } from '@playwright/test'
import { pageLoaded } from './requests'

/** The size in bytes after the gateway's compression (gateway/src/edge/public/encoding.rs). */
export function compressedSize(bytes: Buffer): number {
  return compressed(bytes).length
}

/** Compresses bytes as the gateway compresses the pages that it renders. */
export function compressed(bytes: Buffer): Buffer {
  return brotliCompressSync(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } })
}

/** A page's HTML, and the style rules that it uses while it loads. */
export async function htmlAndCriticalCss(
  page: Page,
  path: string,
): Promise<{ html: Buffer; critical: Buffer }> {
  await page.coverage.startCSSCoverage()
  const answer = await page.goto(path)
  await pageLoaded(page)
  const html = (await answer?.body()) ?? Buffer.alloc(0)
  const sheets = await page.coverage.stopCSSCoverage()
  const used = sheets.flatMap(({ text = '', ranges }) =>
    ranges.map(({ start, end }) => text.slice(start, end)),
  )
  return { html, critical: Buffer.from(used.join('')) }
}
