import {
  DEPENDS_ON_READER,
  ONLY_AROUND,
  ONLY_ATTRIBUTES,
  ONLY_IN_APPLICATION,
  PERSONAL,
} from './allowed'

/** Receives the selector of each allowed difference that occurs. */
type Note = (selector: string) => void

type Part = string | Element

/**
 * The differences between the gateway's rendering and the application's, one in a line. An element with `data-reserved`
 * is room for a control: the application's element in its place has its classes, and any content.
 */
export function differences(server: Element, application: Element, note: Note): string[] {
  return inChildren(server, application, '', note)
}

function inElement(server: Element, application: Element, path: string, note: Note): string[] {
  if (server.hasAttribute('data-reserved')) return []
  const where = path ? `${path} > ${nameOf(server)}` : nameOf(server)
  const found = inAttributes(server, application, where, note)
  if (server.matches(DEPENDS_ON_READER) && PERSONAL.test(window.location.pathname)) return found
  return [...found, ...inChildren(server, application, where, note)]
}

function inAttributes(server: Element, application: Element, where: string, note: Note): string[] {
  const names = new Set([...server.getAttributeNames(), ...application.getAttributeNames()])
  return [...names].flatMap((name) => {
    const [wanted, value] = [valueOf(server, name), valueOf(application, name)]
    if (wanted === value) return []
    const allowed = ONLY_ATTRIBUTES.find(
      (one) => one.name === name && application.matches(one.selector),
    )
    if (wanted === null && allowed) {
      note(allowed.reason)
      return []
    }
    return [
      `${where}: ${name} is ${shown(wanted)} in the gateway’s, ${shown(value)} in the application’s`,
    ]
  })
}

function inChildren(server: Element, application: Element, where: string, note: Note): string[] {
  const found: string[] = []
  const others = partsOf(application, true)
  for (const part of partsOf(server)) {
    skipAllowed(others, note, (other) => !isLike(part, other))
    const other = others.shift()
    if (typeof part === 'string' || typeof other !== 'object' || !isInPlaceOf(other, part)) {
      if (part === other) continue
      return [
        ...found,
        `${where}: ${shown(part)} in the gateway’s, ${shown(other)} in the application’s`,
      ]
    }
    found.push(...inElement(part, other, where, note))
  }
  skipAllowed(others, note, () => true)
  const [more] = others
  if (more === undefined) return found
  return [...found, `${where}: only the application has ${shown(more)}`]
}

/** Removes the first parts as long as they are allowed differences that `isSkipped`. */
function skipAllowed(parts: Part[], note: Note, isSkipped: (part: Part) => boolean): void {
  for (;;) {
    const [first] = parts
    if (typeof first !== 'object' || !isSkipped(first)) return
    const selector = Object.keys(ONLY_IN_APPLICATION).find((one) => first.matches(one))
    if (selector === undefined) return
    note(selector)
    parts.shift()
  }
}

/** Whether two parts are the same one, apart from their content and other attributes. */
function isLike(server: Part, application: Part): boolean {
  if (typeof server === 'string' || typeof application === 'string') return server === application
  if (server.hasAttribute('data-reserved')) return isInPlaceOf(application, server)
  return (
    server.localName === application.localName &&
    valueOf(server, 'class') === valueOf(application, 'class')
  )
}

/** Whether an element of the application has the place of one of the gateway's. */
function isInPlaceOf(application: Element, server: Element): boolean {
  if (!server.hasAttribute('data-reserved')) return application.localName === server.localName
  return [...server.classList].every((name) => application.classList.contains(name))
}

/** The children of an element. Adjacent texts are one. */
function partsOf(element: Element, isApplication = false): Part[] {
  const parts: Part[] = []
  const add = (node: Node): void => {
    if (node instanceof Text) {
      const last = parts.at(-1)
      if (typeof last === 'string') parts[parts.length - 1] = last + node.data
      else if (node.data !== '') parts.push(node.data)
    } else if (node instanceof Element) {
      if (isApplication && node.localName === ONLY_AROUND) node.childNodes.forEach(add)
      else parts.push(node)
    }
  }
  element.childNodes.forEach(add)
  return parts
}

/** The value of an attribute; of classes, in alphabetical order. */
function valueOf(element: Element, name: string): string | null {
  if (name === 'class') return [...element.classList].sort().join(' ')
  return element.getAttribute(name)
}

function nameOf(element: Element): string {
  return [element.localName, ...[...element.classList].sort()].join('.')
}

const MAX_LENGTH = 300

function shown(part: Part | null | undefined): string {
  if (part == null) return 'nothing'
  const text = typeof part === 'string' ? JSON.stringify(part) : part.outerHTML
  return text.length > MAX_LENGTH ? `${text.slice(0, MAX_LENGTH)}…` : text
}
