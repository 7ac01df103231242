// The reference: sharp makes a picture's sizes, each from the original file, on one core. Prints its milliseconds of CPU
// and the bytes of memory that it took at most.

import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import sharp from 'sharp'

const [, , file, folder, sizes] = process.argv
sharp.concurrency(1)
sharp.cache(false)
mkdirSync(folder, { recursive: true })
const original = readFileSync(file)
// What sharp loads with the first picture is not part of the measured work.
await sharp({ create: { width: 16, height: 16, channels: 3, background: 'red' } }).jpeg().toBuffer()

const before = process.resourceUsage().maxRSS
const begun = process.cpuUsage()
const made = []
for (const { name, width, height, isCropped, quality } of JSON.parse(sizes)) {
  const fit = isCropped ? 'cover' : 'inside'
  for (const [format, extension] of [
    ['jpeg', 'jpg'],
    ['webp', 'webp'],
  ]) {
    const picture = sharp(original)
      .autoOrient()
      .resize(width, height, { fit, withoutEnlargement: !isCropped })
      .keepIccProfile()
    made.push([`${name}.${extension}`, await picture[format]({ quality }).toBuffer()])
  }
}
const { user, system } = process.cpuUsage(begun)
const memory = (process.resourceUsage().maxRSS - before) * 1024
for (const [name, content] of made) writeFileSync(join(folder, name), content)
console.log(JSON.stringify({ cpu_milliseconds: (user + system) / 1000, memory_bytes: memory }))
