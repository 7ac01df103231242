/** The beginning of the names of caches of pages; the release follows. */
export const PAGES = 'pages:'

/** The beginning of the names of caches of the day's file; the release follows. */
export const DAYS = 'day:'

/** The page that shows the day's file, and the file, which no page contains. */
export const TONIGHT = { page: '/tonight/', file: '/api/v2/tonight/' } as const

/** A message to the worker: paths of pages to keep. */
export interface Message {
  keep: readonly string[]
}

export interface KeptPage {
  path: string
  html: string
}

/** Pages about the reader, the API and files. */
const OTHERS = /^\/(accounts|api|calendar|media|profiles|search)(\/|$)|\.[^/]*$/

/** Whether an address of the site is a page that may be stored. */
export function isPage(url: URL): boolean {
  return url.origin === location.origin && !OTHERS.test(url.pathname)
}

/** Whether an answer is complete and the same for everyone. */
export function isPublic(response: Response): boolean {
  const control = response.headers.get('cache-control') ?? ''
  return response.status === 200 && !response.redirected && !/no-store|private/.test(control)
}

/** Whether a page may be stored: a page of another release needs files that this one does not have. */
export async function isOfRelease(response: Response, script: string): Promise<boolean> {
  return isPublic(response) && (await response.clone().text()).includes(`"${script}"`)
}

/** Whether a page has been withdrawn. */
export function isGone({ status }: Response): boolean {
  return status === 404 || status === 410
}

/** The key of a stored page: the application itself applies the parameters of its address. */
export function pageKey(address: string): string {
  const { origin, pathname } = new URL(address)
  return origin + pathname
}

/** The page in place of a page that is not stored: the stored ones by name. */
export function offlinePage(pages: readonly KeptPage[], styles: string): string {
  const items = pages
    .map(({ path, html }) => ({ path, title: /<title>([^<]*)/.exec(html)?.[1] ?? path }))
    .toSorted((one, other) => one.title.localeCompare(other.title))
    .map(({ path, title }) => `<li><a href="${path}">${title}</a></li>`)
  const list =
    items.length > 0
      ? `<p>These pages are on this device:</p><ul>${items.join('')}</ul>`
      : '<p>Pages that you open are kept on this device from now on.</p>'
  return `<!doctype html>
<html lang="en-CA">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>You are offline</title>
<link rel="stylesheet" href="${styles}">
<main><div class="Notice_notice Notice_page">
<h1 class="Notice_title">You are offline</h1>
<div class="Notice_body">${list}<p><a href="">Try again</a></p></div>
</div></main>`
}
