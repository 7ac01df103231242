import { screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, it } from 'vitest'
import type { Inspection } from '#/api/types'
import { renderApp } from '../../../test/render-app'
import { http, server, withTestServer } from '../../../test/server'
import { Inspections } from './Inspections'

withTestServer()

const AT = '2026-11-20T18:00:00.000Z'
const LIST = '/api/v2/listings/7/inspections/'

function inspection(id: number, isPass: boolean): Inspection {
  const infraction = {
    details: 'Fail to clean',
    severity: 'crucial' as const,
    action: 'Ticket',
    court_outcome: null,
    fine: 610,
    fine_text: '$610',
  }
  return {
    id,
    date: '2026-05-03',
    inspected_on: `May ${id}, 2026`,
    outcome: isPass ? 'Pass' : 'Conditional Pass',
    is_pass: isPass,
    infractions: isPass ? [] : [infraction],
  }
}

it('shows each inspection with its outcome, day and infractions, and the next page on request', async () => {
  server.use(
    http.get('/api/v2/listings/{id}/inspections/', ({ response }) =>
      response(200).json({ results: [inspection(1, true)], count: 3, next: null, server_time: AT }),
    ),
  )
  const inspections = {
    results: [inspection(3, false), inspection(2, true)],
    count: 3,
    next: `${LIST}?after=x&limit=12`,
  }
  renderApp(<Inspections place={{ id: 7, inspections }} />)
  const section = await screen.findByRole('group')
  expect(within(section).getByText('Conditional Pass')).not.toBeVisible()
  await userEvent.click(within(section).getByText('Food inspections'))
  expect(within(section).getByText('Conditional Pass')).toBeVisible()
  const headings = within(section).getAllByRole('heading', { level: 3 })
  expect(headings.map((heading) => heading.textContent)).toEqual(['Conditional Pass', 'Pass'])
  expect(section).toHaveTextContent('May 3, 2026, 1 infraction')
  expect(section).toHaveTextContent('Crucial Fail to clean')
  expect(section).toHaveTextContent('Ticket · $610')
  expect(section).toHaveTextContent('May 2, 2026, no infractions')
  await userEvent.click(screen.getByRole('button', { name: 'Load More' }))
  expect(await screen.findByText('May 1, 2026')).toBeVisible()
  expect(screen.queryByRole('button', { name: 'Load More' })).toBeNull()
})

it('shows nothing where there are none', async () => {
  const none = { results: [], count: 0, next: null }
  renderApp(
    <>
      <p>Beside it</p>
      <Inspections place={{ id: 7, inspections: none }} />
    </>,
  )
  expect(await screen.findByText('Beside it')).toBeVisible()
  expect(screen.queryByRole('group')).toBeNull()
})
