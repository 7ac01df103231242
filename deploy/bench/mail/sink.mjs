// A mail server on a bad day: it takes its time, closes connections instead of answering, wants letters later and refuses
// some, all at random. It writes a line for each letter: a number, the recipient and what became of it. A line on its
// standard input ends the bad day.

import { createWriteStream } from 'node:fs'
import { createInterface } from 'node:readline'
import { SMTPServer } from 'smtp-server'

const [, , port, log] = process.argv
const lines = createWriteStream(log)
let isBad = true
let number = 0

const refused = (code, message) => Object.assign(new Error(message), { responseCode: code })

const server = new SMTPServer({
  authOptional: true,
  disabledCommands: ['STARTTLS'],
  logger: false,
  onData(stream, session, done) {
    stream.resume()
    stream.on('end', () => setTimeout(() => answer(session, done), isBad ? 50 + Math.random() * 300 : 0))
  },
})

function answer(session, done) {
  number += 1
  const id = number
  const [{ address }] = session.envelope.rcptTo
  const write = (outcome) => lines.write(`${id} ${address} ${outcome}\n`)
  const chance = isBad ? Math.random() : 1
  if (chance < 0.02) {
    write('dropped')
    connections.get(session.remotePort)?.destroy()
  } else if (chance < 0.05) {
    write('deferred')
    done(refused(451, `4.3.0 later, letter ${id}`))
  } else if (chance < 0.06) {
    write('refused')
    done(refused(554, `5.7.1 not like this, letter ${id}`))
  } else {
    write('accepted')
    done(null, `2.0.0 taken, letter ${id}`)
  }
}

const connections = new Map()
server.on('error', () => {})
server.listen(Number(port), '127.0.0.1')
server.server.on('connection', (socket) => {
  const { remotePort } = socket
  connections.set(remotePort, socket)
  socket.on('close', () => connections.delete(remotePort))
})
createInterface({ input: process.stdin }).on('line', () => {
  isBad = false
})
