import {
  cpSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { PROJECT } from './sites'

const BUILD = join(PROJECT, 'web/dist')
/** A script of the build: `assets/first-B3dFq1xA.js`. */
const SCRIPT = /^assets\/.*\.js$/
const TEXT = /\.(js|html|json)$/
const COMPRESSED = /\.(br|gz)$/

/** Makes another release of the built application, whose scripts have other names; returns its folder. */
export function makeSecondRelease(): string {
  const folder = mkdtempSync(join(tmpdir(), 'cityguide-release-'))
  cpSync(BUILD, folder, { recursive: true })
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' })
  for (const file of files.filter((one) => COMPRESSED.test(one))) rmSync(join(folder, file))
  const scripts = files.filter((file) => SCRIPT.test(file)).map((file) => basename(file))
  const names = new RegExp(scripts.map((name) => name.replace('.', '\\.')).join('|'), 'g')
  for (const file of files.filter((one) => TEXT.test(one))) {
    const path = join(folder, file)
    const text = readFileSync(path, 'utf8')
    writeFileSync(path, text.replace(names, renamed))
    if (SCRIPT.test(file)) renameSync(path, join(dirname(path), renamed(basename(file))))
  }
  return folder
}

function renamed(script: string): string {
  return script.replace('.js', '-2.js')
}
