import { readdirSync, readFileSync } from 'node:fs'
import { expect, it } from 'vitest'

const text = readFileSync('../deploy/demo/pages/privacy.md', 'utf8')
const EDGE = '../gateway/src/edge'

it('the privacy page names every cookie', () => {
  const sources = readdirSync(EDGE).filter((name) => name.endsWith('.rs'))
  const server = sources.map((name) => readFileSync(`${EDGE}/${name}`, 'utf8')).join('\n')
  const set = [...server.matchAll(/"__Host-([a-z-]+)"/g)].map(([, name]) => name)
  expect(new Set(set).size).toBeGreaterThan(1)
  for (const name of [...set, 'signed_in', 'is_user_over_18']) expect(text).toContain(`\`${name}\``)
})

it('the privacy page lists the data that the browser stores', () => {
  for (const data of ['saved and rated', 'last searches', 'reminders', 'how far you had read']) {
    expect(text.split('## In your browser')[1]).toContain(data)
  }
})
