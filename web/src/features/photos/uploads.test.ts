import { beforeEach, expect, it, vi } from 'vitest'
import { ApiError } from '#/lib/http'
import { deferred, flushTasks, type Deferred } from '../../../test/deferred'
import { ownPhotoOf } from '../../../test/photos'
import type { OwnPhoto } from './types'
import { MAX_FILES, Uploads, type Sending } from './uploads'

const RIGHTS = { credit: 'Robin Ames', licence: 'CC0-1.0' } as const

let sent: Sending[] = []
let answers: Deferred<OwnPhoto>[] = []
const dropped = vi.fn()
let uploads: Uploads

beforeEach(() => {
  sent = []
  answers = []
  dropped.mockReset()
  uploads = new Uploads({
    send: (sending) => {
      const answer = deferred<OwnPhoto>()
      sent.push(sending)
      answers.push(answer)
      return answer.promise
    },
    preview: { make: (file) => `blob:${file.name}`, drop: dropped },
  })
})

const picture = (name: string, { type = 'image/jpeg', size = 4 } = {}): File =>
  Object.defineProperty(new File(['data'], name, { type }), 'size', { value: size })
const states = () => uploads.all.get().map(({ state }) => state.is)
const idOf = (index: number) => uploads.all.get()[index]?.id ?? 0

it.each([
  [{}, null],
  [{ type: 'image/webp' }, null],
  [{ type: 'image/avif' }, 'This is not a JPEG, PNG or WebP picture.'],
  [{ type: 'image/heic' }, 'This is not a JPEG, PNG or WebP picture.'],
  [{ type: '' }, 'This is not a JPEG, PNG or WebP picture.'],
  [{ size: 0 }, 'This file is empty.'],
  [{ size: 25 * 1024 * 1024 }, null],
  [{ size: 25 * 1024 * 1024 + 1 }, 'This file is larger than 25 MB.'],
])('checks a file of %j before it is sent', (file, problem) => {
  uploads.add([picture('a', file)])
  const [upload] = uploads.all.get()
  expect(upload?.state).toEqual(problem === null ? { is: 'chosen' } : { is: 'unfit', problem })
  expect(upload?.preview).toBe(problem === null ? 'blob:a' : null)
  uploads.start(RIGHTS)
  expect(sent).toHaveLength(problem === null ? 1 : 0)
})

it('accepts twenty files at a time, and returns how many were left out', () => {
  const files = Array.from({ length: 23 }, (_, index) => picture(`${index}`))
  expect(uploads.add(files)).toBe(3)
  expect(uploads.all.get()).toHaveLength(MAX_FILES)
  expect(uploads.add([picture('more')])).toBe(1)
})

it('sends two at a time, and the next one when one is done', async () => {
  uploads.add([picture('a'), picture('b'), picture('c')])
  uploads.describe(idOf(2), 'The terrace')
  uploads.start(RIGHTS)
  expect(states()).toEqual(['sending', 'sending', 'queued'])
  expect(uploads.isBusy()).toBe(true)
  answers[1]?.resolve(ownPhotoOf(2, { status: 'waiting' }))
  await flushTasks()
  expect(states()).toEqual(['sending', 'sent', 'sending'])
  expect(sent[2]).toMatchObject({ description: 'The terrace', rights: RIGHTS })
  answers[0]?.reject(new ApiError(400, { image: ['Not a picture.'] }))
  answers[2]?.resolve(ownPhotoOf(3))
  await flushTasks()
  expect(states()).toEqual(['failed', 'sent', 'sent'])
  expect(uploads.isBusy()).toBe(false)
})

it('shows the progress', () => {
  uploads.add([picture('a')])
  uploads.start(RIGHTS)
  sent[0]?.onProgress(0.4)
  expect(uploads.all.get()[0]?.state).toEqual({ is: 'sending', share: 0.4 })
})

it('cancels one, and continues with the others', async () => {
  uploads.add([picture('a'), picture('b'), picture('c')])
  uploads.start(RIGHTS)
  uploads.remove(idOf(0))
  expect(sent[0]?.signal.aborted).toBe(true)
  expect(dropped).toHaveBeenCalledWith('blob:a')
  answers[0]?.reject(new DOMException('', 'AbortError'))
  await flushTasks()
  expect(uploads.all.get().map(({ file }) => file.name)).toEqual(['b', 'c'])
  expect(states()).toEqual(['sending', 'sending'])
})

it('retries the same with the same key, and a changed one with another', async () => {
  uploads.add([picture('a')])
  uploads.start(RIGHTS)
  for (const attempt of [0, 1]) {
    answers[attempt]?.reject(new ApiError(0))
    await flushTasks()
    expect(states()).toEqual(['failed'])
    uploads.retry(idOf(0))
  }
  answers[2]?.reject(new ApiError(0))
  await flushTasks()
  uploads.describe(idOf(0), 'Changed')
  uploads.start(RIGHTS)
  const keys = sent.map(({ key }) => key)
  expect(keys[0]).toMatch(/^[0-9a-f]{32}$/)
  expect(keys[1]).toBe(keys[0])
  expect(keys[2]).toBe(keys[0])
  expect(keys[3]).not.toBe(keys[0])
})

it('gives each file its own key', () => {
  uploads.add([picture('a'), picture('b')])
  uploads.start(RIGHTS)
  expect(sent[0]?.key).not.toBe(sent[1]?.key)
})

it('cancels everything and releases the previews when the reader leaves the page', () => {
  uploads.add([picture('a'), picture('b'), picture('c')])
  uploads.start(RIGHTS)
  uploads.clear()
  expect(sent).toHaveLength(2)
  expect(sent.map(({ signal }) => signal.aborted)).toEqual([true, true])
  expect(dropped).toHaveBeenCalledTimes(3)
  expect(uploads.all.get()).toEqual([])
})
