import { readdirSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { expect, it } from 'vitest'

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

it('has every class that the server writes', () => {
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
