// Keys that sign the bench's letters.

import { generateKeyPairSync } from 'node:crypto'
import { writeFileSync } from 'node:fs'

const encoding = { privateKeyEncoding: { type: 'pkcs8', format: 'pem' } }
for (const [file, type, options] of [
  ['ed25519.pem', 'ed25519', encoding],
  ['rsa.pem', 'rsa', { modulusLength: 2048, ...encoding }],
]) {
  writeFileSync(file, generateKeyPairSync(type, options).privateKey)
}
