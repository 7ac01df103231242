import { expect, test, type Page, type Route } from '@playwright/test'
import { callOf, countSaved, FAVOURITE, firstControl } from './kinds'
import { register } from './reader'

// The behaviour that all kinds share. `saved.test.ts` tests it for each kind.

/** Holds the writes of favourites until the test releases them, and collects their methods. */
async function holdWrites(page: Page) {
  const methods: string[] = []
  const held: Route[] = []
  const pattern = `**${callOf(FAVOURITE)}**`
  await page.route(pattern, async (route) => {
    const method = route.request().method()
    if (method === 'GET') return route.continue()
    methods.push(method)
    held.push(route)
  })
  return {
    methods,
    /** The next write, once the page has sent it. */
    async next(): Promise<Route> {
      await expect.poll(() => held.length, { message: 'a write' }).toBeGreaterThan(0)
      return held.shift() as Route
    },
    stop: () => page.unroute(pattern),
  }
}

const isPressed = (pressed: boolean): [string, string] => ['aria-pressed', String(pressed)]
/** The records of the map in local storage; null until the map is loaded. */
const storedMap = (page: Page) =>
  page.evaluate((key) => {
    const stored = JSON.parse(localStorage.getItem(key) ?? '{}') as Record<string, unknown>
    return stored.updated ? JSON.stringify(stored.map) : null
  }, FAVOURITE.map)

test('a save or a removal that fails leaves the control and the map as they were, without a message, and a second click waits for the answer to the first', async ({
  page,
}) => {
  await register(page)
  await page.goto(FAVOURITE.page)
  const button = (await firstControl(page, FAVOURITE)).button(page)
  await expect.poll(() => storedMap(page)).not.toBeNull()
  for (const wasOn of [false, true]) {
    const before = await storedMap(page)
    const writes = await holdWrites(page)
    await button.click()
    await expect(button).toHaveAttribute(...isPressed(!wasOn))
    const write = await writes.next()
    await write.fulfill({ status: 500, json: { code: 'internal', detail: 'Internal error.' } })
    await expect(button).toHaveAttribute(...isPressed(wasOn))
    expect(await storedMap(page)).toBe(before)
    await expect(page.getByRole('alert')).toHaveCount(0)
    await expect(page.getByRole('dialog')).toHaveCount(0)
    expect(await countSaved(page, FAVOURITE)).toBe(wasOn ? 1 : 0)
    await writes.stop()
    await button.click()
    await expect.poll(() => countSaved(page, FAVOURITE)).toBe(wasOn ? 0 : 1)
    await expect.poll(() => storedMap(page)).not.toBe(before)
  }

  const writes = await holdWrites(page)
  await button.click()
  await expect(button).toHaveAttribute(...isPressed(true))
  const save = await writes.next()
  await button.click()
  await expect(button).toHaveAttribute(...isPressed(false))
  // A request that the click had sent immediately would have changed the count by now.
  expect(await countSaved(page, FAVOURITE)).toBe(0)
  expect(writes.methods).toEqual(['POST'])
  await save.continue()
  await (await writes.next()).continue()
  await expect(button).toHaveAttribute(...isPressed(false))
  await expect.poll(() => countSaved(page, FAVOURITE)).toBe(0)
  expect(writes.methods).toEqual(['POST', 'DELETE'])
})
