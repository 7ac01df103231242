import { act, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import type { ReactNode } from 'react'
import { expect, it, vi } from 'vitest'
import { deferred } from '../../../test/deferred'
import { renderApp } from '../../../test/render-app'
import { Bar } from './Bar'
import { setPanel } from './chrome'

const loadPanels = vi.hoisted(() => vi.fn<() => Promise<{ default: () => ReactNode }>>())

vi.mock('#/lib/online', async (original) => ({
  ...(await original<object>()),
  online: () => loadPanels,
}))

it('loads its panels in idle time, and shows a pressed one immediately', async () => {
  const code = deferred<{ default: () => ReactNode }>()
  loadPanels.mockReturnValue(code.promise)
  let idle: (() => void) | undefined
  vi.stubGlobal('requestIdleCallback', (task: () => void) => (idle = task))
  renderApp(<Bar path="/" />, { site: { navigation: [] } })
  const menu = await screen.findByRole('button', { name: 'Menu' })
  expect(loadPanels).not.toHaveBeenCalled()
  act(() => idle?.())
  expect(loadPanels).toHaveBeenCalledOnce()
  await userEvent.click(menu)
  expect(screen.getByRole('status', { name: 'Loading' })).toBeVisible()
  await userEvent.click(menu)
  expect(screen.queryByRole('status', { name: 'Loading' })).toBeNull()
  await userEvent.click(menu)
  await act(async () => code.resolve({ default: () => <p>The panels</p> }))
  expect(await screen.findByText('The panels')).toBeVisible()
  expect(screen.queryByRole('status', { name: 'Loading' })).toBeNull()
  act(() => setPanel(null))
})
