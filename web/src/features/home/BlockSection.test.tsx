import { onlineManager } from '@tanstack/react-query'
import { act, screen } from '@testing-library/react'
import { afterEach, expect, it } from 'vitest'
import { renderApp } from '../../../test/render-app'
import { BlockSection } from './BlockSection'

const BLOCK = { kind: 'events', title: 'Coming up', href: '/events/', limit: 4 } as const

afterEach(() => act(() => onlineManager.setOnline(true)))

it('omits a loading block without a network, and keeps a loaded one', async () => {
  act(() => onlineManager.setOnline(false))
  renderApp(
    <>
      <BlockSection block={BLOCK} isBusy>
        <p>loading</p>
      </BlockSection>
      <BlockSection block={BLOCK}>
        <p>loaded</p>
      </BlockSection>
    </>,
  )
  expect(await screen.findByText('loaded')).toBeVisible()
  expect(screen.queryByText('loading')).toBeNull()
  act(() => onlineManager.setOnline(true))
  expect(screen.getByText('loading')).toBeVisible()
})
