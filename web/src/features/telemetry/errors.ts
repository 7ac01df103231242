import type { PageName } from '#/api/types'
import { onScriptError, type ScriptError } from '#/lib/script-errors'
import { report } from './reporter'

/** The position of the first line of a stack that has one: `at load (https://guide.example/assets/home.js:1:20)`. */
const POSITION = /(https?:\/\/[^\s()]+):(\d+):(\d+)/
const MAX_NAME = 100

const reported = new Set<string>()

/** Reports script errors by class and position, each once; never their messages, which may contain a reader's words. */
export function reportErrors(currentPage: () => PageName): void {
  onScriptError((event) => {
    const { name, file, line, column } = described(event)
    const key = [name, file, line, column].join()
    if (reported.has(key)) return
    reported.add(key)
    const page = currentPage()
    report(() => ({ kind: 'error', page, name, file, line, column }))
  })
}

function described({ error, ...at }: ScriptError) {
  const [name, stack] = error instanceof Error ? [error.name, error.stack ?? ''] : ['Error', '']
  const [, address, row, place] = POSITION.exec(stack) ?? []
  return {
    name: name.slice(0, MAX_NAME),
    file: ownFile(at.file || address),
    line: at.line ?? Number(row ?? 0),
    column: at.column ?? Number(place ?? 0),
  }
}

/** The name of one of the site's scripts; empty for other scripts, such as browser extensions. */
function ownFile(address: string | undefined): string {
  if (!address) return ''
  const { origin, pathname } = new URL(address, window.location.origin)
  return origin === window.location.origin
    ? (pathname.split('/').at(-1) ?? '').slice(0, MAX_NAME)
    : ''
}
