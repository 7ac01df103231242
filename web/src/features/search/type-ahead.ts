/** The timeout for the search box, in milliseconds: later keys belong to the page. */
const TIMEOUT = 3000

let captured = ''
let stopCapture: (() => void) | undefined

/** Captures typed text until the search box has the focus: the box opens a moment after its button was pressed. */
export function captureTyping(): void {
  stopCapture?.()
  captured = ''
  const capture = (event: KeyboardEvent): void => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.isComposing) return
    if (event.key === 'Backspace') captured = captured.slice(0, -1)
    else if (/^.$/u.test(event.key)) captured += event.key
    else return
    // A space would press the button again.
    event.preventDefault()
    event.stopPropagation()
  }
  const release = (event: KeyboardEvent): void => {
    if (event.key === ' ') event.preventDefault()
  }
  const timer = setTimeout(() => stopCapture?.(), TIMEOUT)
  window.addEventListener('keydown', capture, true)
  window.addEventListener('keyup', release, true)
  stopCapture = () => {
    clearTimeout(timer)
    window.removeEventListener('keydown', capture, true)
    window.removeEventListener('keyup', release, true)
    stopCapture = undefined
  }
}

/** Returns the captured text once, and releases the keys. */
export function takeCapturedText(): string {
  stopCapture?.()
  const text = captured
  captured = ''
  return text
}
