/**
 * The filters of the archive. Articles of an author or a tag can be in any section, so they have an
 * address here: `/archives/?author=maren-oyelaran`. The address of a month is
 * `/archives/?from=2026-10-01&to=2026-11-01`, where `to` is the day after it, as in the API.
 */
export interface ArchiveFilter {
  author?: string | undefined
  tag?: string | undefined
  from?: string | undefined
  to?: string | undefined
}

const PATH = '/archives/'
const SLUG = /^[a-z0-9]+(-[a-z0-9]+)*$/
const DAY = /^\d{4}-\d{2}-\d{2}$/

export function authorAddress(slug: string): string {
  return `${PATH}?author=${slug}`
}

export function tagAddress(slug: string): string {
  return `${PATH}?tag=${slug}`
}

/** `month` counts from 1. */
export function monthAddress(year: number, month: number): string {
  return `${PATH}?from=${firstDay(year, month)}&to=${firstDay(year, month + 1)}`
}

/** The filters in an address, without values that the API would refuse. */
export function archiveFilter(values: ArchiveFilter): ArchiveFilter {
  const { author, tag, from, to } = values
  return {
    ...(author && SLUG.test(author) && { author }),
    ...(tag && SLUG.test(tag) && { tag }),
    ...(from && isDay(from) && { from }),
    ...(to && isDay(to) && { to }),
  }
}

/** The month that the two days enclose; undefined for any other period. */
export function wholeMonth({ from, to }: ArchiveFilter): { year: number; month: number } | null {
  if (!from || !to) return null
  const [year = 0, month = 0] = from.split('-').map(Number)
  const isWhole = from === firstDay(year, month) && to === firstDay(year, month + 1)
  return isWhole ? { year, month } : null
}

function firstDay(year: number, month: number): string {
  return new Date(Date.UTC(year, month - 1, 1)).toISOString().slice(0, 10)
}

function isDay(text: string): boolean {
  if (!DAY.test(text)) return false
  const at = new Date(`${text}T00:00:00Z`)
  return !Number.isNaN(at.getTime()) && at.toISOString().startsWith(text)
}
