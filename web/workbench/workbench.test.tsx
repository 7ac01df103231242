import { readdirSync } from 'node:fs'
import { basename, join } from 'node:path'
import { screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { renderApp } from '../test/render-app'
import { ACCOUNT } from './account'
import { CARDS } from './cards'
import { FORMS } from './forms'
import { UI } from './ui'
import { Workbench } from './Workbench'

const ALL = { ...UI, ...FORMS, ...CARDS, ...ACCOUNT }
const SOURCES = join(import.meta.dirname, '../src')

function components(folder: string, ending: string): string[] {
  return readdirSync(join(SOURCES, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith(ending) && !name.endsWith('.test.tsx'))
    .map((name) => basename(name, '.tsx'))
    .sort()
}

class NoObserver {
  observe(): void {}
  unobserve(): void {}
  disconnect(): void {}
}

beforeEach(() => {
  // jsdom has no layout and does not draw.
  vi.stubGlobal('IntersectionObserver', NoObserver)
  vi.stubGlobal('ResizeObserver', NoObserver)
  vi.spyOn(HTMLCanvasElement.prototype, 'getContext').mockReturnValue(null)
  return () => vi.unstubAllGlobals()
})

it('shows every component of src/ui, and no other', () => {
  expect([...Object.keys(UI), ...Object.keys(FORMS)].sort()).toEqual(components('ui', '.tsx'))
})

it('shows the card of every feature', () => {
  expect(Object.keys(CARDS).sort()).toEqual(components('features', 'Card.tsx'))
})

it('shows every form that logs in, and every component of the account', () => {
  const forms = components('features/auth', 'Form.tsx')
  expect(Object.keys(ACCOUNT).sort()).toEqual(
    [...forms, ...components('features/account', '.tsx')].sort(),
  )
})

it('links to each component', async () => {
  renderApp(<Workbench />)
  const links = () => document.querySelectorAll('a[href^="#"]')
  await vi.waitFor(() => expect(links()).not.toHaveLength(0), 10_000)
  // Asking for each link by its role takes 20 s on a busy machine.
  for (const name of Object.keys(ALL)) {
    expect(document.querySelector(`a[href="#${name}"]`)).toHaveTextContent(name)
    expect(document.getElementById(name)).toBeInTheDocument()
  }
})

describe.each(Object.entries(ALL))('%s', (_, states) => {
  it.each(Object.entries(states))('renders: %s', async (_, element) => {
    const complaints = vi.spyOn(console, 'error')
    renderApp(<main>{element}</main>)
    const main = await screen.findByRole('main')
    await vi.waitFor(() => expect(main).not.toBeEmptyDOMElement())
    expect(complaints).not.toHaveBeenCalled()
  })
})

it.each(Object.entries(UI.Dialog ?? {}))('opens and closes: %s', async (_, element) => {
  renderApp(element)
  await userEvent.click(await screen.findByRole('button', { name: 'Open' }))
  expect(await screen.findByText('A title')).toBeInTheDocument()
  await userEvent.click(screen.getByRole('button', { name: 'Done' }))
  await vi.waitFor(() => expect(screen.queryByText('A title')).toBeNull())
})

it('shows an error at each field with that state', async () => {
  for (const { error } of Object.values(FORMS)) if (error) renderApp(error)
  expect(await screen.findAllByRole('alert')).toHaveLength(Object.keys(FORMS).length)
})
