/** The longest wait for the search's box, in milliseconds: a key belongs to the page again after that. */
const PATIENCE = 3000

let typed = ''
let stop: (() => void) | undefined

/** Keeps what is typed from now on until the search's box has the focus: it opens a moment after its button was pressed. */
export function typeAhead(): void {
  stop?.()
  typed = ''
  const keep = (event: KeyboardEvent): void => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.isComposing) return
    if (event.key === 'Backspace') typed = typed.slice(0, -1)
    else if (/^.$/u.test(event.key)) typed += event.key
    else return
    // A space would press the button once more.
    event.preventDefault()
    event.stopPropagation()
  }
  const release = (event: KeyboardEvent): void => {
    if (event.key === ' ') event.preventDefault()
  }
  const timer = setTimeout(() => stop?.(), PATIENCE)
  window.addEventListener('keydown', keep, true)
  window.addEventListener('keyup', release, true)
  stop = () => {
    clearTimeout(timer)
    window.removeEventListener('keydown', keep, true)
    window.removeEventListener('keyup', release, true)
    stop = undefined
  }
}

/** What was typed meanwhile, once; the keys are the page's again. */
export function takeTyped(): string {
  stop?.()
  const text = typed
  typed = ''
  return text
}
