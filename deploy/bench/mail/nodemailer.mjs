// A reference: nodemailer's pool hands a letter to each of many recipients. Prints the seconds that it took.

import { readFileSync } from 'node:fs'
import nodemailer from 'nodemailer'

const { port, connections, letters, html, text, key } = JSON.parse(process.argv[2])
const content = { html: readFileSync(html, 'utf8'), text: readFileSync(text, 'utf8') }
const pool = nodemailer.createTransport({
  pool: true,
  host: '127.0.0.1',
  port,
  secure: false,
  ignoreTLS: true,
  maxConnections: connections,
  maxMessages: Infinity,
  ...(key && {
    dkim: { domainName: 'guide.example', keySelector: 'city', privateKey: readFileSync(key, 'utf8') },
  }),
})
const begun = performance.now()
const sending = []
let number = 0
await new Promise((done) => {
  // As its manual says: new letters while the pool has room for them.
  const next = () => {
    while (pool.isIdle() && number < letters) {
      number += 1
      sending.push(
        pool.sendMail({
          from: 'City Guide <post@guide.example>',
          to: `reader${number}@example.com`,
          subject: 'Win a canoe',
          ...content,
        }),
      )
    }
    if (number === letters) done()
  }
  pool.on('idle', next)
  next()
})
await Promise.all(sending)
console.log(JSON.stringify((performance.now() - begun) / 1000))
pool.close()
