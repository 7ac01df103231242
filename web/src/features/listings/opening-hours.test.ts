import { describe, expect, it } from 'vitest'
import { hoursInWords } from './opening-hours'

describe('opening hours', () => {
  it.each([
    ['24/7', ['Always open']],
    ['Tu-Su 17:00-01:00', ['Tue–Sun 17:00–01:00']],
    [
      'Mo,We 08:00-12:00,13:00-18:00; PH off',
      ['Mon, Wed 08:00–12:00, 13:00–18:00', 'Public holidays closed'],
    ],
    [' ; ', []],
  ])('%s is told as people read it', (hours, lines) => {
    expect(hoursInWords(hours).map((line) => line.replaceAll('\u2060', ''))).toEqual(lines)
  })

  it('a range of times stays on one line', () => {
    expect(hoursInWords('Fr-Sa 08:00-02:00')).toEqual(['Fri–Sat 08:00\u2060–\u206002:00'])
  })
})
