import { expect, type APIRequestContext, type Page } from '@playwright/test'

interface Row {
  name: string
  share_url: string
}

export async function results<T extends Row>(
  request: APIRequestContext,
  path: string,
): Promise<T[]> {
  const answer = await request.get(path)
  expect(answer.ok()).toBe(true)
  const { results: rows } = (await answer.json()) as { results: T[] }
  expect(rows.length).toBeGreaterThan(0)
  return rows
}

/** One path for each kind of page, from the server's own data. */
export async function pagePaths(request: APIRequestContext): Promise<Record<string, string>> {
  interface Place extends Row {
    image_url: string | null
    type: { is_age_restricted: boolean }
  }
  const all = await results<Place>(request, '/api/v2/listings/?limit=100')
  // Age-restricted places open behind a dialog, which has its own tests.
  const places = all.filter((place) => !place.type.is_age_restricted)
  const parks = await results<Place>(request, '/api/v2/listings/?limit=100&type=parks')
  const [type] = await results<Row>(request, '/api/v2/listing-types/')
  const [neighbourhood] = await results<Row>(request, '/api/v2/neighbourhoods/')
  const [article] = await results<Row & { section: { share_url: string } }>(
    request,
    '/api/v2/articles/?limit=1',
  )
  const [list] = await results<Row>(request, '/api/v2/best-of-lists/?limit=1')
  const [event] = await results<Row>(request, '/api/v2/events/?limit=1')
  const [contest] = await results<Row>(request, '/api/v2/contests/?limit=1')
  const [video] = await results<Row>(request, '/api/v2/videos/?limit=1')
  const [first] = places
  const withPicture = places.find((place) => place.image_url) ?? first
  const without = [...places, ...parks].find((place) => !place.image_url) ?? first
  return {
    home: '/',
    places: '/places/',
    'places-filtered': '/places/?ordering=name&keywords=a',
    'places-none': '/places/?keywords=zzzzqqqq',
    events: '/events/',
    'events-filtered': '/events/?when=week&free=1&ordering=name',
    event: event?.share_url ?? '',
    contests: '/contests/',
    contest: contest?.share_url ?? '',
    videos: '/videos/',
    video: video?.share_url ?? '',
    type: type?.share_url ?? '',
    neighbourhoods: '/neighbourhoods/',
    neighbourhood: neighbourhood?.share_url ?? '',
    place: withPicture?.share_url ?? '',
    'place-without-picture': without?.share_url ?? '',
    'best-of': '/toronto/',
    'best-of-list': list?.share_url ?? '',
    section: article?.section.share_url ?? '',
    article: article?.share_url ?? '',
    archives: '/archives/',
    'archives-filtered': '/archives/?from=2000-01-01&ordering=name',
    'static-page': '/privacy/',
    contact: '/contact/',
    newsletters: '/newsletters/',
    advertising: '/advertising/',
    advertise: '/contact/?advertise',
    login: '/accounts/login?next=%2Fplaces%2F',
    'reset-password': '/accounts/reset-password',
    'confirm-email': '/accounts/confirm-email#a-token',
    'new-password': '/accounts/reset-password#a-token',
    logout: '/profiles/logout?next=%2Fplaces%2F',
    search: '/search?q=the',
    'search-start': '/search',
    'not-found': '/nothing/is-here/',
  }
}

interface Restrictable extends Row {
  id: number
  is_age_restricted: boolean
}

/** An article with an age limit. */
export async function restrictedArticle(request: APIRequestContext): Promise<Restrictable> {
  const articles = await results<Restrictable>(request, '/api/v2/articles/?limit=100')
  const article = articles.find((one) => one.is_age_restricted)
  if (!article) throw new Error('No age-restricted article')
  return article
}

/** Opens the list of places, and returns the name of the first that can be saved. */
export async function firstOpenPlace(page: Page): Promise<string> {
  await page.goto('/places/')
  const heart = page.getByRole('button', { name: /^Favourite / }).first()
  await expect(heart).toBeVisible()
  return ((await heart.getAttribute('aria-label')) ?? '').replace(/^Favourite /, '')
}
