import { act, fireEvent, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { HttpResponse } from 'msw'
import { describe, expect, it, vi } from 'vitest'
import { forgetAnswer, confirmAge } from '#/features/age-gate/age'
import { flushTasks } from '../../test/deferred'
import { at, PATH, thumbnailLinks, visit, withPhotoSite, photoSite } from '../../test/photo-site'
import { pageOfPhotos, photoOf, photosFrom, PLACE } from '../../test/photos'
import { http, server } from '../../test/server'

withPhotoSite()

const viewer = () => screen.findByRole('dialog', { name: `Photos of ${PLACE.name}` })
const isClosed = () => waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
const shows = (text: string) =>
  waitFor(async () => expect(within(await viewer()).getByText(text)).toBeVisible())
const key = async (name: string, times = 1) => {
  const dialog = await viewer()
  for (let time = 0; time < times; time += 1) {
    fireEvent.keyDown(dialog.querySelector('button') ?? dialog, { key: name, repeat: time > 0 })
  }
}

describe('the viewer', () => {
  it('opens at the photo’s own address, moves between photos and closes to the page, in one history entry', async () => {
    const router = await visit(PATH, { before: ['/'] })
    const length = router.history.length
    const [, second] = await thumbnailLinks()
    if (!second) throw new Error('No second photo')
    second.focus()
    await userEvent.click(second)
    await shows('2 of 20')
    expect(router.state.location.pathname).toBe(at(2))
    expect(router.history.length).toBe(length + 1)
    await userEvent.click(screen.getByRole('button', { name: 'Next photo' }))
    await shows('3 of 20')
    expect(router.state.location.pathname).toBe(at(3))
    expect(router.history.length).toBe(length + 1)
    await userEvent.keyboard('{Escape}')
    await isClosed()
    expect(router.state.location.pathname).toBe(PATH)
    await waitFor(async () => expect((await thumbnailLinks())[1]).toHaveFocus())
    act(() => router.history.back())
    await waitFor(() => expect(router.state.location.pathname).toBe('/'))
  })

  it('closes a photo that was opened by its own address to the place, not off the site', async () => {
    const router = await visit(at(3), { before: ['/'] })
    await shows('3 of 20')
    expect(document.title).toBe(`${PLACE.name}, by Robin Ames · A City`)
    const length = router.history.length
    await userEvent.click(within(await viewer()).getByRole('button', { name: 'Close' }))
    await isClosed()
    expect(router.state.location.pathname).toBe(PATH)
    expect(router.history.length).toBe(length)
    expect(await screen.findByRole('heading', { level: 1, name: PLACE.name })).toBeVisible()
    await waitFor(async () => expect((await thumbnailLinks())[2]).toHaveFocus())
  })

  it('has no photo before the first, and none after the last', async () => {
    photoSite.all = photosFrom(1, 7)
    await visit(at(1))
    await shows('1 of 7')
    expect(screen.queryByRole('button', { name: 'Previous photo' })).toBeNull()
    await key('ArrowLeft')
    await shows('1 of 7')
    // Five of seven are loaded.
    for (const position of [2, 3, 4, 5, 6]) {
      await userEvent.click(await screen.findByRole('button', { name: 'Next photo' }))
      await shows(`${position} of 7`)
    }
    expect(photoSite.asked).toContain('?limit=6&listing=9&offset=5')
    await key('ArrowRight')
    await shows('7 of 7')
    expect(screen.queryByRole('button', { name: 'Next photo' })).toBeNull()
    await key('ArrowRight', 3)
    await shows('7 of 7')
    await waitFor(() => expect(document.activeElement).not.toBe(document.body))
  })

  it('skips no photo while a key is held, even if the next page is slow', async () => {
    const router = await visit(at(1))
    await shows('1 of 20')
    const seen = [router.state.location.pathname]
    router.subscribe('onResolved', ({ toLocation }) => void seen.push(toLocation.pathname))
    while (!seen.includes(at(20))) {
      await key('ArrowRight', 3)
      await act(flushTasks)
    }
    expect(seen).toEqual(photoSite.all.map(at))
    await shows('20 of 20')
  })

  it('opens a photo far beyond the first page, with its neighbours', async () => {
    photoSite.all = photosFrom(1, 900)
    const router = await visit(at(700))
    await shows('700 of 900')
    expect(photoSite.asked).toContain('photos/700/')
    await waitFor(() => expect(photoSite.asked).toContain('?limit=6&listing=9&offset=695'))
    await key('ArrowRight')
    await shows('701 of 900')
    expect(router.state.location.pathname).toBe(at(701))
    await key('ArrowRight')
    await shows('702 of 900')
    for (const position of [701, 700, 699, 698, 697, 696, 695]) {
      await key('ArrowLeft')
      await shows(`${position} of 900`)
    }
    // The list of the page has not loaded all photos in between.
    expect(photoSite.asked).not.toContain('?limit=6&listing=9&offset=5')
  })

  it('shows the description of a photo', async () => {
    await visit(at(2))
    const dialog = within(await viewer())
    expect(await dialog.findByText('Photo 2')).toBeVisible()
    expect(dialog.getByRole('link', { name: PLACE.name })).toHaveAttribute('href', PATH)
    expect(dialog.getByText('Photo: Robin Ames')).toBeVisible()
    expect(dialog.getByText('November 20, 2026')).toBeVisible()
    const licence = dialog.getByRole('link', { name: 'CC BY 4.0' })
    expect(licence).toHaveAttribute('href', 'https://creativecommons.org/licenses/by/4.0/')
    expect(dialog.getByRole('img', { name: 'Photo 2' })).toHaveAttribute(
      'src',
      '/media/photos/2/whole',
    )
    expect(dialog.getByRole('link', { name: 'Share on Facebook' })).toBeVisible()
    expect(dialog.queryByRole('button', { name: 'Report this photo' })).toBeNull()
  })

  it('shows the edge of the next photo, which moves on', async () => {
    photoSite.all = photosFrom(1, 3)
    await visit(at(1))
    await shows('1 of 3')
    for (const next of [2, 3]) {
      const edge = screen.getByRole('button', { name: 'Next photo' })
      expect(edge.querySelector('img')).toHaveAttribute('src', `/media/photos/${next}/whole`)
      await userEvent.click(edge)
      await shows(`${next} of 3`)
    }
    expect(screen.queryByRole('button', { name: 'Next photo' })).toBeNull()
  })

  it.each([
    [
      { description: '' },
      ['A reader’s photo of Pai', 'Photo: Robin Ames'],
      ['Shared by Robin Ames'],
    ],
    [{ credit: 'Sam Lee' }, ['Photo: Sam Lee', 'Shared by Robin Ames'], ['Photo: Robin Ames']],
    [{ credit: '' }, ['Photo: Robin Ames'], ['Shared by Robin Ames']],
    [{ credit: '', profile: null }, ['Photo 2', 'November 20, 2026'], ['Photo: Robin Ames']],
  ])('captions a photo with %j', async (fields, texts, absent) => {
    server.use(
      http.get('/api/v2/photos/{id}/', ({ response }) =>
        response(200).json({ ...photoOf(2), ...fields, index: 12, total: 20 }),
      ),
    )
    photoSite.all = photosFrom(3, 20)
    await visit(at(2))
    const dialog = within(await viewer())
    for (const text of texts) expect(await dialog.findByText(text)).toBeVisible()
    for (const text of absent) expect(dialog.queryByText(text)).toBeNull()
    expect(dialog.getByRole('link', { name: PLACE.name })).toHaveAttribute('href', PATH)
  })

  it('focuses its first button, and retries a picture that did not load', async () => {
    await visit(at(2))
    const dialog = within(await viewer())
    await waitFor(() => expect(dialog.getByRole('button', { name: 'Close' })).toHaveFocus())
    fireEvent.error(await dialog.findByRole('img', { name: 'Photo 2' }))
    expect(dialog.getByRole('alert')).toHaveTextContent('The picture did not load.')
    await userEvent.click(dialog.getByRole('button', { name: 'Try again' }))
    expect(dialog.getByRole('img', { name: 'Photo 2' })).toBeVisible()
  })

  it('reports that a photo does not exist, and links to the place', async () => {
    const router = await visit(at(999))
    const dialog = within(await screen.findByRole('dialog', { name: 'Not found' }))
    expect(dialog.getByText('There is no photo at this address')).toBeVisible()
    expect(document.title).toMatch(/^Not found/)
    await userEvent.click(dialog.getByRole('link', { name: `Back to ${PLACE.name}` }))
    await isClosed()
    expect(router.state.location.pathname).toBe(PATH)
  })

  it('retries a photo that did not load', async () => {
    let isDown = true
    server.use(
      http.get('/api/v2/photos/{id}/', ({ response }) =>
        isDown
          ? response.untyped(HttpResponse.json({ code: 'internal' }, { status: 500 }))
          : response(200).json({ ...photoOf(12), index: 12, total: 20 }),
      ),
    )
    await visit(at(12))
    const dialog = within(await viewer())
    expect(await dialog.findByText('The photo did not load')).toBeVisible()
    isDown = false
    await userEvent.click(dialog.getByRole('button', { name: 'Try again' }))
    await shows('12 of 20')
  })

  it('retries a next page that did not load', async () => {
    let isDown = true
    server.use(
      http.get('/api/v2/photos/', ({ response }) =>
        isDown
          ? response.untyped(HttpResponse.json({ code: 'internal' }, { status: 500 }))
          : response(200).json(pageOfPhotos(photoSite.all, 5, 6)),
      ),
    )
    await visit(at(5))
    const dialog = within(await viewer())
    await shows('5 of 20')
    expect(await dialog.findByText(/The next photo did not load/)).toBeVisible()
    isDown = false
    await key('ArrowRight')
    await shows('6 of 20')
  })

  it.each([
    '/restaurants/pai/photos/abc',
    '/restaurants/pai/photos/',
    '/restaurants/pai/nothing/3',
    '/restaurants/nowhere/photos/3',
  ])('is not found at %s', async (address) => {
    await visit(address)
    expect(await screen.findByText('There is nothing at this address')).toBeVisible()
    expect(screen.queryByRole('dialog')).toBeNull()
    expect(screen.queryByRole('heading', { name: PLACE.name })).toBeNull()
  })
})

it('shows no photo of an age-restricted place before a Yes', async () => {
  const { type } = photoSite.place
  photoSite.place = { ...photoSite.place, type: { ...type, is_age_restricted: true } }
  server.use(
    http.get('/api/v2/listings/{id}/gated/', ({ response }) => response(200).json(photoSite.place)),
  )
  await visit(at(2))
  expect(await screen.findByRole('alertdialog')).toBeVisible()
  expect(screen.queryByText('2 of 20')).toBeNull()
  expect(document.querySelector('img')).toBeNull()
  act(() => confirmAge(false))
  await shows('2 of 20')
  act(() => forgetAnswer())
})

describe('swipes', () => {
  const narrow = (isNarrow: boolean) =>
    vi.spyOn(window, 'matchMedia').mockImplementation(
      (media) =>
        ({
          media,
          matches: isNarrow && media === '(max-width: 639px)',
          addEventListener: () => {},
          removeEventListener: () => {},
        }) as unknown as MediaQueryList,
    )
  const picture = async () => (await viewer()).querySelector('img[draggable=false]') as Element
  // jsdom has no pointer events.
  const touch = (target: Element, type: string, finger: number, x: number, y = 300) => {
    const event = new MouseEvent(type, { bubbles: true, clientX: x, clientY: y })
    fireEvent(target, Object.assign(event, { pointerId: finger, pointerType: 'touch' }))
  }
  const swipe = async (from: number, to: number, height = 0) => {
    const target = await picture()
    touch(target, 'pointerdown', 1, from)
    touch(target, 'pointermove', 1, to, 300 + height)
    touch(target, 'pointerup', 1, to, 300 + height)
  }

  it('move on an extra-small screen, sideways and far enough', async () => {
    narrow(true)
    await visit(at(2))
    await shows('2 of 20')
    await swipe(300, 270)
    await swipe(300, 200, 150)
    await shows('2 of 20')
    await swipe(300, 150)
    await shows('3 of 20')
    await swipe(100, 250)
    await shows('2 of 20')
  })

  it('do nothing with two fingers', async () => {
    narrow(true)
    await visit(at(2))
    await shows('2 of 20')
    const target = await picture()
    touch(target, 'pointerdown', 1, 300)
    touch(target, 'pointerdown', 2, 100)
    touch(target, 'pointermove', 1, 100)
    touch(target, 'pointerup', 1, 100)
    touch(target, 'pointerup', 2, 10)
    await shows('2 of 20')
    await swipe(300, 150)
    await shows('3 of 20')
  })

  it('do nothing on a larger screen', async () => {
    narrow(false)
    await visit(at(2))
    await shows('2 of 20')
    await swipe(300, 100)
    await shows('2 of 20')
  })
})

describe('a signed-in reader', () => {
  it('reports another reader’s photo', async () => {
    const bodies: unknown[] = []
    server.use(
      http.post('/api/v2/photos/{id}/report/', async ({ params, request, response }) => {
        bodies.push([params.id, await request.json()])
        return response(204).empty()
      }),
    )
    await visit(at(3), { isMember: true })
    await userEvent.click(await screen.findByRole('button', { name: 'Report this photo' }))
    const dialog = within(await screen.findByRole('dialog', { name: 'What is wrong with it?' }))
    await userEvent.selectOptions(dialog.getByLabelText('Reason'), 'It is offensive')
    await userEvent.type(dialog.getByLabelText('Anything else?'), 'Look closely')
    // Keys in the text field do not change the photo.
    await userEvent.keyboard('{ArrowLeft}{ArrowRight}')
    await userEvent.click(dialog.getByRole('button', { name: 'Send the report' }))
    await shows('Thank you. We’ll take a look.')
    expect(bodies).toEqual([['3', { reason: 'offensive', comment: 'Look closely' }]])
    await shows('3 of 20')
  })

  it('deletes the reader’s own photo after a confirmation', async () => {
    const deleted: string[] = []
    server.use(
      http.delete('/api/v2/photos/{id}/', ({ params, response }) => {
        deleted.push(params.id)
        return response.untyped(HttpResponse.json({ code: 'not_found' }, { status: 404 }))
      }),
    )
    await visit(at(2), { isMember: true })
    await userEvent.click(await screen.findByRole('button', { name: 'Delete this photo' }))
    const dialog = within(await screen.findByRole('dialog', { name: 'Delete this photo?' }))
    expect(deleted).toEqual([])
    await userEvent.click(dialog.getByRole('button', { name: 'Delete this photo' }))
    await isClosed()
    expect(deleted).toEqual(['2'])
    await waitFor(async () => expect(await thumbnailLinks()).toHaveLength(4))
    expect(screen.queryByRole('link', { name: 'Photo 2' })).toBeNull()
  })
})
