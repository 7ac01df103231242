import { readdirSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { expect, it } from 'vitest'
import { BREAKPOINTS } from '#/lib/breakpoints'

const SOURCES = join(import.meta.dirname, '..')
const TEMPLATES = join(SOURCES, '../../gateway/src/pages/content')

function files(folder: string, ending: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith(ending))
    .map((name) => join(folder, name))
}

const sheets = files(SOURCES, '.module.css')

it('names each sheet once, since classes are named after their sheet', () => {
  const names = sheets.map((file) => basename(file))
  expect(names.length).toBeGreaterThan(20)
  expect(new Set(names).size).toBe(names.length)
})

it('contains every class that the server writes', () => {
  const known = new Set(
    sheets.flatMap((file) => {
      const classes = readFileSync(file, 'utf8').matchAll(/\.([a-zA-Z][\w-]*)/g)
      return [...classes].map(([, name]) => `${basename(file, '.module.css')}_${name}`)
    }),
  )
  const written = files(TEMPLATES, '.rs').flatMap((file) => {
    const words = readFileSync(file, 'utf8').matchAll(/"([^"\n]*_[^"\n]*)"/g)
    return [...words].flatMap(([, text]) => text?.match(/[\w-]*[A-Za-z]_[a-z][a-zA-Z]*/g) ?? [])
  })
  const sheetNames = new Set(sheets.map((file) => basename(file, '.module.css')))
  const ours = written.filter((name) => sheetNames.has(name.split('_')[0] ?? ''))
  expect(ours.length).toBeGreaterThan(30)
  expect(ours.filter((name) => !known.has(name))).toEqual([])
})

it('changes only at the specified breakpoints', () => {
  const widths = files(SOURCES, '.css').flatMap((file) => {
    const found = readFileSync(file, 'utf8').matchAll(/\((?:min|max)-width: [^)]*\)/g)
    return [...found].map(([condition]) => condition)
  })
  const known = [
    // One column instead of two if a card would be narrower than its words.
    '(max-width: 339px)',
    ...Object.values(BREAKPOINTS).flatMap((width) => [
      `(max-width: ${width}px)`,
      `(min-width: ${width + 1}px)`,
    ]),
  ]
  expect(widths.length).toBeGreaterThan(20)
  expect(widths.filter((condition) => !known.includes(condition))).toEqual([])
})
