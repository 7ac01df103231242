/** The fields of an entry's state that are used here; the router numbers its entries. */
interface EntryState {
  dialogs?: number
  __TSR_index?: number
}

type Write = [state: EntryState | null, unused: string, url?: string | URL | null]

/** The open dialogs, each with its function to close it, the topmost last. */
const open: (() => void)[] = []
let update = (): void => {}
let isLeaving = false

/** Call it before another page is loaded: a traversal of the history would cancel the load. */
export function leaveDialogs(): void {
  isLeaving = true
}

/** Adds an open dialog, which Back closes; returns its removal. */
export function addDialog(close: () => void): () => void {
  open.push(close)
  // Deferred, because one dialog may replace another.
  queueMicrotask(() => update())
  return () => {
    open.splice(open.indexOf(close), 1)
    queueMicrotask(() => update())
  }
}

/**
 * Lets Back close the topmost dialog: each open dialog adds an entry with the page's own address to the browser's
 * history. Call it before the router is created, which never sees these entries.
 */
export function followDialogs(): void {
  const { history } = window
  const native = {
    push: history.pushState.bind(history),
    replace: history.replaceState.bind(history),
    go: history.go.bind(history),
  }
  let page = history.state as EntryState | null
  let href = window.location.href
  // Greater than 0 at the start if the page was reloaded while a dialog was open.
  let depth = page?.dialogs ?? 0
  /** Calls that wait for the end of a traversal. */
  let waiting: (() => void)[] | undefined

  const stateAt = (dialogs: number): EntryState | null =>
    page || dialogs ? { ...page, dialogs } : page
  const write = (method: History['pushState'], ...[state, unused, url]: Write): void => {
    page = state
    method(stateAt(depth), unused, url)
    href = window.location.href
  }
  const traverse = (steps: number): void => {
    waiting = []
    native.go(steps)
  }
  const afterTraversal = (call: () => void): void => {
    if (waiting) waiting.push(call)
    else call()
  }

  update = () => {
    if (waiting || isLeaving) return
    if (depth > open.length) traverse(open.length - depth)
    while (depth < open.length) {
      depth += 1
      native.push(stateAt(depth), '')
    }
  }

  history.replaceState = (...change: Write) => write(native.replace, ...change)

  history.pushState = (...change: Write) =>
    afterTraversal(() => {
      // The next page takes the place of the dialog's entry.
      const method = depth > 0 ? native.replace : native.push
      depth = 0
      write(method, ...change)
      queueMicrotask(() => update())
    })

  // For the application, Back is the page before this one.
  history.back = () => afterTraversal(() => (depth > 0 ? traverse(-1 - depth) : native.go(-1)))

  // The browser shows the page again as it was left.
  window.addEventListener('pageshow', () => {
    isLeaving = false
    update()
  })

  window.addEventListener(
    'popstate',
    (event) => {
      const state = event.state as EntryState | null
      const before = depth
      const calls = waiting
      depth = state?.dialogs ?? 0
      waiting = undefined
      if (depth !== before && state?.__TSR_index === page?.__TSR_index) {
        event.stopImmediatePropagation()
        // The page may have changed its address since it opened the dialog.
        native.replace(stateAt(depth), '', href)
        if (!calls) for (const close of open.slice(depth).reverse()) close()
      } else {
        page = state
        href = window.location.href
      }
      for (const call of calls ?? []) call()
      queueMicrotask(() => update())
    },
    { capture: true },
  )
  update()
}
