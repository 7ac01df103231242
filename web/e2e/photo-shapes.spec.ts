import { expect, test, type Page } from '@playwright/test'
import { emptyPlace, picture, publish } from './photos'
import { register } from './reader'

const SHAPES = {
  portrait: [480, 640],
  square: [640, 640],
  landscape: [960, 640],
  panorama: [1600, 400],
} as const

const WINDOWS = [
  [360, 740],
  [390, 844],
  [639, 700],
  [640, 700],
  [768, 1024],
  [844, 390],
  [1019, 760],
  [1020, 760],
  [1366, 768],
  [1440, 900],
  [2560, 1440],
] as const

/** The tolerance for rounding. */
const PX = 1

/** The box in which the photo is drawn, and the box of its frame, in pixels of the window. */
async function boxes(page: Page) {
  const photo = page
    .getByRole('dialog', { name: /^Photos of / })
    .getByRole('img')
    .first()
  return photo.evaluate((image: HTMLImageElement) => {
    const { left, top, width, height } = image.getBoundingClientRect()
    const across = width / image.naturalWidth
    const down = height / image.naturalHeight
    const fit = getComputedStyle(image).objectFit
    // A picture that is neither contained nor of its box's shape is cropped or distorted.
    const scale = fit === 'contain' ? Math.min(across, down) : Math.max(across, down)
    const drawn = { width: image.naturalWidth * scale, height: image.naturalHeight * scale }
    const frame = image.parentElement?.getBoundingClientRect() ?? new DOMRect()
    return {
      drawn: {
        ...drawn,
        left: left + (width - drawn.width) / 2,
        top: top + (height - drawn.height) / 2,
      },
      frame: { left: frame.left, top: frame.top, width: frame.width, height: frame.height },
    }
  })
}

async function showsWhole(page: Page, what: string): Promise<void> {
  const { drawn, frame } = await boxes(page)
  const { width, height } = page.viewportSize() ?? { width: 0, height: 0 }
  expect(drawn.left, `${what}: left`).toBeGreaterThanOrEqual(frame.left - PX)
  expect(drawn.top, `${what}: top`).toBeGreaterThanOrEqual(frame.top - PX)
  const right = Math.min(frame.left + frame.width, width)
  const bottom = Math.min(frame.top + frame.height, height)
  expect(drawn.left + drawn.width, `${what}: right`).toBeLessThanOrEqual(right + PX)
  expect(drawn.top + drawn.height, `${what}: bottom`).toBeLessThanOrEqual(bottom + PX)
  const filled = Math.max(drawn.width / frame.width, drawn.height / frame.height)
  expect(filled, `${what}: as large as the frame`).toBeCloseTo(1, 1)
  const edge = page.getByRole('button', { name: 'Next photo' })
  if ((await edge.count()) === 0) return
  const box = (await edge.boundingBox()) ?? { x: 0, width: 0 }
  expect(box.x, `${what}: the edge of the next photo is beside it`).toBeGreaterThanOrEqual(
    frame.left + frame.width - PX,
  )
  expect(box.width, `${what}: the edge of the next photo`).toBeGreaterThanOrEqual(44)
  expect(box.x + box.width, `${what}: the edge of the next photo`).toBeLessThanOrEqual(width + PX)
}

test('the viewer shows the whole photo, whatever its shape and the window’s', async ({ page }) => {
  await register(page)
  const place = await emptyPlace(page.request)
  const shapes = Object.entries(SHAPES)
  const images = shapes.map(([shape, [width, height]]) => picture(`${shape}.png`, width, height))
  const photos = (await publish(page, place.id, images)).reverse()
  for (const [index, [shape]] of shapes.entries()) {
    await page.goto(photos[index]?.share_path ?? '')
    const photo = page
      .getByRole('dialog', { name: /^Photos of / })
      .getByRole('img')
      .first()
    await expect(photo).toHaveJSProperty('complete', true)
    for (const [width, height] of WINDOWS) {
      await page.setViewportSize({ width, height })
      await showsWhole(page, `${shape} at ${width}x${height}`)
    }
  }
})
