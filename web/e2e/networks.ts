import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { test as base } from './sites'

/** The behaviour of the stand-ins. */
interface Behaviour {
  /** Whether the ad server has an ad. */
  hasAd: boolean
  /** When a bid arrives: immediately, without a request, if absent; never, if the promise stays pending. */
  bidAfter?: Promise<void>
  /** When Prebid's script arrives; immediately if absent. */
  scriptAfter?: Promise<void>
}

/** The requests to the stand-ins, in order. */
export interface Networks {
  url: string
  asked: string[]
  behave(behaviour: Behaviour): void
  /** The lines of a site's file that turn them on. */
  settings(): string
}

/** The part of Prebid.js that the site uses. */
const prebid = (isInstant: boolean) => `(() => {
  const base = document.currentScript.src.replace(/\\/[^/]*$/, '')
  const won = new Map()
  const pbjs = (window.pbjs = window.pbjs || { que: [] })
  pbjs.requestBids = ({ adUnits, timeout, bidsBackHandler }) => {
    let isOver = false
    const end = () => { if (!isOver) { isOver = true; bidsBackHandler() } }
    if (${isInstant}) {
      for (const { code } of adUnits) won.set(code, { hb_pb: '1.20' })
      end()
      return
    }
    setTimeout(end, timeout)
    fetch(base + '/bids?units=' + adUnits.length + '&timeout=' + timeout, { credentials: 'omit' })
      .then((answer) => answer.json())
      .then((bids) => { for (const { code } of adUnits) won.set(code, bids); end() })
  }
  pbjs.getAdserverTargetingForAdUnitCode = (code) => won.get(code) ?? {}
  const que = pbjs.que
  pbjs.que = { push: (run) => run() }
  que.forEach((run) => run())
})()`

/** The part of Google Publisher Tag that the site uses. */
const GOOGLE = `(() => {
  const base = document.currentScript.src.replace(/\\/[^/]*$/, '')
  const tag = (window.googletag = window.googletag || { cmd: [] })
  const listeners = []
  let isHeld = false
  const note = (what) => fetch(base + '/' + what, { credentials: 'omit' })
  const service = {
    disableInitialLoad: () => { isHeld = true },
    setForceSafeFrame: (isForced) => note('safeframe?' + isForced),
    setSafeFrameConfig: () => {},
    addEventListener: (_, tell) => listeners.push(tell),
    refresh: async (slots) => {
      const query = slots.map((slot) => slot.unit + (slot.targeting.hb_pb ? '!' + slot.targeting.hb_pb : ''))
      const answer = await fetch(base + '/ad?held=' + isHeld + '&units=' + encodeURIComponent(query.join(' ')), { credentials: 'omit' })
      const { isEmpty } = await answer.json()
      for (const slot of slots) {
        const element = document.getElementById(slot.element)
        if (!isEmpty && element) {
          const frame = document.createElement('iframe')
          frame.src = base + '/creative'
          frame.title = 'Advertisement'
          const [width, height] = slot.sizes[0]
          Object.assign(frame, { width, height })
          element.append(frame)
        }
        listeners.forEach((tell) => tell({ slot, isEmpty }))
      }
    },
  }
  tag.pubads = () => service
  tag.defineSlot = (unit, sizes, element) => {
    const slot = {
      unit, sizes, element, targeting: {},
      addService: () => slot,
      setTargeting: (key, value) => { slot.targeting[key] = value; return slot },
      getSlotElementId: () => element,
    }
    return slot
  }
  tag.enableServices = () => {}
  tag.display = () => {}
  tag.destroySlots = (slots) => {
    for (const { unit, element } of slots) {
      note('destroyed?' + unit)
      document.getElementById(element)?.replaceChildren()
    }
    return true
  }
  const cmd = tag.cmd
  tag.cmd = { push: (run) => run() }
  cmd.forEach((run) => run())
})()`

interface Server extends Networks {
  /** Forgets the requests and the behaviour of the test before. */
  forget(): void
}

/** Tests on sites whose networks are stand-ins. */
export const test = base.extend<{ networks: Networks }, { server: Server }>({
  server: [
    // oxlint-disable-next-line no-empty-pattern -- it names the fixtures that this one needs
    async ({}, provide) => {
      const asked: string[] = []
      let behaviour: Behaviour = { hasAd: true }
      const answerTo = async ({ url = '' }: IncomingMessage): Promise<[string, string]> => {
        asked.push(url)
        if (url.startsWith('/prebid.js')) {
          await behaviour.scriptAfter
          return ['text/javascript', prebid(!behaviour.bidAfter)]
        }
        if (url.startsWith('/gpt.js')) return ['text/javascript', GOOGLE]
        if (url.startsWith('/bids')) {
          await behaviour.bidAfter
          return ['application/json', '{"hb_pb":"1.20"}']
        }
        if (url.startsWith('/ad')) {
          return ['application/json', JSON.stringify({ isEmpty: !behaviour.hasAd })]
        }
        return ['text/html', '<!doctype html><title>ad</title><body style="background:#27406f">']
      }
      const server = createServer((request, response) => {
        void answerTo(request).then(([type, body]) => {
          response.setHeader('content-type', type)
          response.setHeader('access-control-allow-origin', '*')
          response.end(body)
        })
      }).listen(0, '127.0.0.1')
      await new Promise((listening) => server.once('listening', listening))
      const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
      await provide({
        url,
        asked,
        behave: (changed) => (behaviour = changed),
        forget: () => {
          behaviour = { hasAd: true }
          asked.length = 0
          server.closeAllConnections()
        },
        settings: () => `
[ads.google]
network = "/1234/guide"
script = "${url}/gpt.js"

[ads.prebid]
script = "${url}/prebid.js"
bidders = [{ bidder = "stand-in", params = { placement = 7 } }]
`,
      })
      server.closeAllConnections()
      server.close()
    },
    { scope: 'worker' },
  ],
  networks: async ({ server }, provide) => {
    server.forget()
    await provide(server)
  },
})
