/** The language of the site's texts, dates and numbers. It does not depend on the browser's language. */
export const LANGUAGE = 'en-CA'

const numbers = new Intl.NumberFormat(LANGUAGE)

/** 1234567 as 1,234,567. */
export function grouped(number: number): string {
  return numbers.format(number)
}

/** 1 as "1 star", 4 as "4 stars". */
export function starsInWords(stars: number): string {
  return stars === 1 ? '1 star' : `${stars} stars`
}
