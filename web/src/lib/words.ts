/** The language of the site's words, dates and numbers, whatever the reader's browser speaks. */
export const LANGUAGE = 'en-CA'

const numbers = new Intl.NumberFormat(LANGUAGE)

/** 1234567 as 1,234,567. */
export function grouped(number: number): string {
  return numbers.format(number)
}
