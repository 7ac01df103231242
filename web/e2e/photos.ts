import { expect, test, type APIRequestContext, type Page } from '@playwright/test'
import { execFile } from 'node:child_process'
import { randomBytes, randomInt } from 'node:crypto'
import { crc32, deflateSync } from 'node:zlib'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { env, PROJECT } from './sites'

type Verdict = ['accept'] | ['refuse', string]

/** Decides about a photo that waits for review, like an operator. */
export async function review(id: number, ...[verdict, reason]: Verdict): Promise<void> {
  const args = ['photos', 'review', verdict, String(id)]
  const options = {
    cwd: PROJECT,
    env: {
      ...process.env,
      CITYGUIDE__DATABASE__URL: env('SITE_DATABASE'),
      CITYGUIDE__BLOBS__FOLDER: join(env('SITE_DATA'), 'blobs'),
    },
  }
  const all = reason === undefined ? args : [...args, '--reason', reason]
  await promisify(execFile)(env('OTHERS_PROGRAM'), all, options)
}

interface File {
  name: string
  mimeType: string
  buffer: Buffer
}

/** A unique picture: the server counts the same bytes once. */
export function picture(name = 'photo.png', width = 640, height = 480): File {
  return { name, mimeType: 'image/png', buffer: png(width, height, randomInt(1, 2 ** 32)) }
}

/** A picture of noise, so that its file is large. */
export function largePicture(name = 'large.png'): File {
  return picture(name, 1200, 900)
}

function png(width: number, height: number, seed: number): Buffer {
  const rows = Buffer.alloc((width * 3 + 1) * height)
  let state = seed >>> 0 || 1
  for (let index = 0; index < rows.length; index += 1) {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0
    // Each row begins with its filter: none.
    if (index % (width * 3 + 1) !== 0) rows[index] = state >>> 24
  }
  const head = Buffer.alloc(13)
  head.writeUInt32BE(width, 0)
  head.writeUInt32BE(height, 4)
  // Eight bits for each of red, green and blue
  head.set([8, 2], 8)
  const signature = Buffer.from([137, 80, 78, 71, 13, 10, 26, 10])
  const parts = [chunk('IHDR', head), chunk('IDAT', deflateSync(rows)), chunk('IEND')]
  return Buffer.concat([signature, ...parts])
}

function chunk(type: string, data = Buffer.alloc(0)): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data])
  const frame = Buffer.alloc(8)
  frame.writeUInt32BE(data.length, 0)
  frame.writeUInt32BE(crc32(body), 4)
  return Buffer.concat([frame.subarray(0, 4), body, frame.subarray(4)])
}

interface Place {
  id: number
  name: string
  share_url: string
  is_closed: boolean
  type: { is_age_restricted: boolean }
}

export interface OwnPhoto {
  id: number
  status: string
  share_path: string
}

/** The open places without an age limit, the last names first: other tests use the first ones. */
async function openPlaces(request: APIRequestContext): Promise<Place[]> {
  const answer = await request.get('/api/v2/listings/?ordering=-name&is_closed=0&limit=100')
  expect(answer.ok()).toBe(true)
  const { results } = (await answer.json()) as { results: Place[] }
  return results.filter(({ is_closed, type }) => !is_closed && !type.is_age_restricted)
}

/** The number of a place's published photos. */
export async function countOf(request: APIRequestContext, listing: number): Promise<number> {
  const answer = await request.get(`/api/v2/photos/?listing=${listing}&limit=1`)
  return ((await answer.json()) as { count: number }).count
}

/** A place without photos that no parallel test uses. */
export async function emptyPlace(request: APIRequestContext): Promise<Place> {
  const places = await openPlaces(request)
  const first = Math.floor(places.length / 2) * (test.info().parallelIndex % 2)
  for (const place of [...places.slice(first), ...places.slice(0, first)]) {
    if ((await countOf(request, place.id)) === 0) return place
  }
  throw new Error('Every place has photos')
}

/** The signed-in reader's photos, newest first. */
export async function ownPhotos(page: Page): Promise<OwnPhoto[]> {
  const answer = await page.request.get('/api/v2/photos/me?limit=100')
  expect(answer.ok()).toBe(true)
  return ((await answer.json()) as { results: OwnPhoto[] }).results
}

/** Uploads a photo as the page's signed-in reader, without the page. */
export async function upload(
  page: Page,
  listing: number,
  description: string,
  image = picture(),
): Promise<OwnPhoto> {
  const answer = await page.request.post('/api/v2/photos/', {
    headers: { 'Idempotency-Key': randomBytes(16).toString('hex') },
    multipart: {
      listing: String(listing),
      description,
      credit: 'Robin Ames',
      licence: 'CC-BY-4.0',
      image,
    },
  })
  expect(answer.status(), await answer.text()).toBe(201)
  return (await answer.json()) as OwnPhoto
}

/** Waits until the reader's photos are processed. */
export async function areReady(page: Page): Promise<OwnPhoto[]> {
  await expect(async () => {
    const statuses = (await ownPhotos(page)).map(({ status }) => status)
    expect(statuses).not.toContain('processing')
  }).toPass()
  return ownPhotos(page)
}

/** The address of a place with at least as many published photos; uploads them if necessary. */
export async function placeWithPhotos(page: Page, least: number): Promise<Place> {
  for (const place of await openPlaces(page.request)) {
    if ((await countOf(page.request, place.id)) >= least) return place
  }
  const place = await emptyPlace(page.request)
  const images = Array.from({ length: least }, () => picture())
  await publish(page, place.id, images)
  return place
}

/** Uploads photos of a place as the page's reader and publishes them; returns the reader's photos, newest first. */
export async function publish(
  page: Page,
  listing: number,
  images: readonly File[],
): Promise<OwnPhoto[]> {
  for (const [index, image] of images.entries()) {
    await upload(page, listing, `Photo number ${index + 1}`, image)
  }
  for (const { id } of await areReady(page)) await review(id, 'accept')
  await expect.poll(() => countOf(page.request, listing)).toBeGreaterThanOrEqual(images.length)
  return ownPhotos(page)
}
