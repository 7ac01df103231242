/** Bids count if they come within this time of being asked for, in milliseconds (spec, section 9). */
export const BID_WAIT = 50
/** Ads are asked for at this time whatever bids, scripts and timers do, in milliseconds (spec, section 9). */
export const FORCED_AFTER = 100

/** Asks for bids, which are worth nothing after the wait. */
export type Auction<Bids> = (wait: number) => Promise<Bids>

interface Options<Bids> {
  /** Loads the code that asks for bids; undefined where there is none, or the reader does not allow it. */
  auction: (() => Promise<Auction<Bids>>) | undefined
  /** Asks for ads: called exactly once, unless the page is left before. */
  refresh: (bids: Bids | undefined) => void
  signal: AbortSignal
}

/** Waits for bids, if there may be any, then refreshes once. */
export function refreshAfterBids<Bids>({ auction, refresh, signal }: Options<Bids>): void {
  const timers: ReturnType<typeof setTimeout>[] = []
  let isOver = false
  const end = (): void => {
    isOver = true
    timers.forEach(clearTimeout)
  }
  const send = (bids?: Bids): void => {
    if (isOver || signal.aborted) return
    end()
    refresh(bids)
  }
  if (!auction) {
    send()
    return
  }
  signal.addEventListener('abort', end, { once: true })
  timers.push(setTimeout(send, FORCED_AFTER))
  const ask = async (): Promise<void> => {
    const bidsOf = await auction()
    if (isOver) return
    timers.push(setTimeout(send, BID_WAIT))
    send(await bidsOf(BID_WAIT))
  }
  ask().catch(() => send())
}
