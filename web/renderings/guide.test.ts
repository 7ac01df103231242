import { expect, it } from 'vitest'
import { CITY_PAGE, FIXED_PAGES, RESOLVED_PAGES, SECTION_PAGE } from '#/routes/table'
import { ONLY_ATTRIBUTES, ONLY_IN_APPLICATION } from './allowed'
import { compareSite } from './sites'

// Readers from elsewhere see the city's dates.
const { pages, allowed } = compareSite('guide', 'Europe/Berlin')

it('there is a page of each kind', () => {
  const rows = [...FIXED_PAGES, CITY_PAGE, SECTION_PAGE, ...Object.values(RESOLVED_PAGES)]
  // Guests are redirected from the dashboard.
  const names = rows.map(({ name }) => name).filter((name) => name !== 'dashboard')
  expect(names.filter((name) => !pages.has(name))).toEqual([])
})

it('every allowed difference occurs', () => {
  const all = [...Object.keys(ONLY_IN_APPLICATION), ...ONLY_ATTRIBUTES.map(({ reason }) => reason)]
  expect(all.filter((one) => !allowed.has(one))).toEqual([])
})
