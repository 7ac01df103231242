import { expect, it } from 'vitest'
import { isEmail } from './email'

it.each([
  'ada@example.com',
  ' ada@example.com ',
  "o'brien+news@mail.example.com",
  'a@b.co',
  'josé@exämple.com',
  `a@${'b'.repeat(63)}.com`,
])('accepts %s', (text) => expect(isEmail(text)).toBe(true))

it.each([
  'ada',
  'ada@',
  '@example.com',
  'ada@example',
  'ada@example..com',
  'ada@.com',
  'ada@-example.com',
  'ada@example-.com',
  'ada lovelace@example.com',
  'ada@exam ple.com',
  'ada@example.com, bob@example.com',
  'ada@bob@example.com',
  'ada(x)@example.com',
  `a@${'b'.repeat(64)}.com`,
])('refuses %s', (text) => expect(isEmail(text)).toBe(false))
