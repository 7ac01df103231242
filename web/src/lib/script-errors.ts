/** An error that no code handled, or that kept a page from rendering. */
export interface ScriptError {
  error: unknown
  /** The script's address and the position in it; absent for a rejected promise. */
  file?: string
  line?: number
  column?: number
}

type Listener = (error: ScriptError) => void

/** Errors of the first moments, before the code that reports them is loaded. */
const MAX_EARLY = 10
const early: ScriptError[] = []
let listener: Listener = (error) => {
  if (early.length < MAX_EARLY) early.push(error)
}

export function noteError(error: ScriptError): void {
  listener(error)
}

/** Collects errors from now on. */
export function watchErrors(): void {
  window.addEventListener('error', ({ error, filename, lineno, colno }) =>
    noteError({ error: error as unknown, file: filename, line: lineno, column: colno }),
  )
  window.addEventListener('unhandledrejection', ({ reason, defaultPrevented }) => {
    // Handlers prevent expected rejections, such as skipped transitions.
    if (!defaultPrevented) noteError({ error: reason })
  })
}

/** Passes on the collected errors, and each further one. */
export function onScriptError(next: Listener): void {
  listener = next
  for (const error of early.splice(0)) next(error)
}
