import { expect, test, type Page, type Route } from '@playwright/test'
import { callOf, countSaved, firstControl, KINDS, type Kind } from './kinds'
import { newReader, signUp } from './reader'

/** Holds a kind's writes until the test releases them, and collects their methods. */
async function holdWrites(page: Page, kind: Kind) {
  const methods: string[] = []
  const held: Route[] = []
  const pattern = `**${callOf(kind)}**`
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
      await expect.poll(() => held.length, { message: `a write of ${kind.api}` }).toBeGreaterThan(0)
      return held.shift() as Route
    },
    stop: () => page.unroute(pattern),
  }
}

const isPressed = (pressed: boolean): [string, string] => ['aria-pressed', String(pressed)]
/** The records of a kind's map in local storage; null until the map is loaded. */
const storedMap = (page: Page, kind: Kind) =>
  page.evaluate((key) => {
    const stored = JSON.parse(localStorage.getItem(key) ?? '{}') as Record<string, unknown>
    return stored.updated ? JSON.stringify(stored.map) : null
  }, kind.map)

test('a save or a removal that fails leaves the control of each kind and its map as they were, without a message', async ({
  page,
}) => {
  await page.goto('/?signupDialogActive')
  await signUp(page, newReader())
  for (const kind of KINDS) {
    await page.goto(kind.page)
    const button = (await firstControl(page, kind)).button(page)
    await expect.poll(() => storedMap(page, kind)).not.toBeNull()
    for (const wasOn of [false, true]) {
      const before = await storedMap(page, kind)
      const writes = await holdWrites(page, kind)
      await button.click()
      await expect(button).toHaveAttribute(...isPressed(!wasOn))
      const write = await writes.next()
      await write.fulfill({ status: 500, json: { code: 'internal', detail: 'Internal error.' } })
      await expect(button).toHaveAttribute(...isPressed(wasOn))
      expect(await storedMap(page, kind), `the map of ${kind.api}`).toBe(before)
      await expect(page.getByRole('alert')).toHaveCount(0)
      await expect(page.getByRole('dialog')).toHaveCount(0)
      expect(await countSaved(page, kind)).toBe(wasOn ? 1 : 0)
      await writes.stop()
      if (wasOn) continue
      await button.click()
      await expect.poll(() => countSaved(page, kind)).toBe(1)
      await expect.poll(() => storedMap(page, kind)).not.toBe(before)
    }
  }
})

test('a second click waits for the answer to the first, and then removes what that has saved', async ({
  page,
}) => {
  await page.goto('/?signupDialogActive')
  await signUp(page, newReader())
  for (const kind of KINDS) {
    await page.goto(kind.page)
    const button = (await firstControl(page, kind)).button(page)
    const writes = await holdWrites(page, kind)
    await button.click()
    await expect(button).toHaveAttribute(...isPressed(true))
    const save = await writes.next()
    await button.click()
    await expect(button).toHaveAttribute(...isPressed(false))
    // A request that the click had sent immediately would have changed the count by now.
    expect(await countSaved(page, kind)).toBe(0)
    expect(writes.methods).toEqual(['POST'])
    await save.continue()
    await (await writes.next()).continue()
    await expect(button).toHaveAttribute(...isPressed(false))
    await expect.poll(() => countSaved(page, kind)).toBe(0)
    expect(writes.methods).toEqual(['POST', 'DELETE'])
    await writes.stop()
  }
})
