/** Bids count if they arrive within this time, in milliseconds. */
export const BID_WAIT = 50
/** Ads are requested after this time in milliseconds, regardless of bids, scripts and timers. */
export const FORCED_AFTER = 100

/** Requests bids, which are worthless after the wait. */
export type Auction<Bids> = (wait: number) => Promise<Bids>

interface Options<Bids> {
  /** Loads the code that requests bids; undefined without bidders or without the reader's permission. */
  auction: (() => Promise<Auction<Bids>>) | undefined
  /** Requests ads: called exactly once, unless the reader leaves the page first. */
  refresh: (bids: Bids | undefined) => void
  signal: AbortSignal
}

/** Waits for bids if there are bidders, then requests ads once. */
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
