import { expect, it } from 'vitest'
import { isGone, isOfRelease, isPage, isPublic, offlinePage, pageKey } from './rules'

const at = (path: string) => new URL(path, location.origin)

it('stores pages, but none about the reader, no answers of the API and no files', () => {
  for (const path of ['/', '/tonight/?at=23:00', '/bars/longwave/', '/news/a-tram/'])
    expect(isPage(at(path)), path).toBe(true)
  for (const path of [
    '/accounts/dashboard',
    '/profiles/logout?next=/',
    '/api/v2/site/',
    '/media/a/whole',
    '/search?q=pho',
    '/rss.xml',
    'https://other.example/',
  ])
    expect(isPage(at(path)), path).toBe(false)
})

it('stores complete answers that are the same for everyone', () => {
  const answer = (control: string, status = 200) =>
    isPublic(new Response('', { status, headers: { 'cache-control': control } }))
  expect(answer('public, max-age=0, must-revalidate')).toBe(true)
  expect(answer('private, no-store')).toBe(false)
  expect(answer('no-store')).toBe(false)
  expect(answer('public', 404)).toBe(false)
})

it('stores no page of another release, and leaves the page readable', async () => {
  const page = (script: string) =>
    new Response(`<script type="module" src="${script}"></script>`, {
      headers: { 'cache-control': 'public' },
    })
  const own = page('/assets/first-a.js')
  expect(await isOfRelease(own, '/assets/first-a.js')).toBe(true)
  expect(await own.text()).toContain('first-a')
  expect(await isOfRelease(page('/assets/first-b.js'), '/assets/first-a.js')).toBe(false)
})

it('removes withdrawn pages, but none whose server fails', () => {
  const gone = [200, 404, 410, 500, 503].filter((status) => isGone(new Response('', { status })))
  expect(gone).toEqual([404, 410])
})

it('keeps one copy of a page, whatever its parameters', () => {
  expect(pageKey('https://a.example/tonight/?at=23:00#top')).toBe('https://a.example/tonight/')
})

it('lists the stored pages by name', () => {
  const pages = [
    { path: '/tonight/', html: '<head><title>Tonight &amp; later · A City</title>' },
    { path: '/', html: '<title>A City</title>' },
  ]
  const html = offlinePage(pages, '/assets/style-1.css')
  expect(html).toContain(
    '<li><a href="/">A City</a></li><li><a href="/tonight/">Tonight &amp; later · A City</a></li>',
  )
  expect(html).toContain('href="/assets/style-1.css"')
  expect(offlinePage([], '')).not.toContain('<ul>')
})
