import { act, render, screen } from '@testing-library/react'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { announce, Announcer } from './Announcer'
import { Placeholder } from './Placeholder'

beforeEach(() => {
  vi.useFakeTimers()
  act(() => announce(''))
})
afterEach(() => {
  vi.useRealTimers()
})

const pass = (milliseconds: number) => act(() => vi.advanceTimersByTimeAsync(milliseconds))

function Page({ parts }: { parts: readonly string[] }) {
  return (
    <>
      {parts.map((what) => (
        <Placeholder key={what} what={what} />
      ))}
      <Announcer />
    </>
  )
}

it('is announced once, however many parts are loading, and again with the next page', async () => {
  const said: string[] = []
  const { rerender } = render(<Page parts={['the page']} />)
  const region = screen.getByRole('status')
  new MutationObserver(() => said.push(region.textContent)).observe(region, {
    childList: true,
    characterData: true,
    subtree: true,
  })
  await pass(499)
  expect(said).toEqual([])
  await pass(1)
  expect(said).toEqual(['Loading the page'])
  // The skeletons of the data replace the skeleton of the code.
  rerender(<Page parts={['places', 'events']} />)
  await pass(2_000)
  rerender(<Page parts={['events']} />)
  await pass(2_000)
  expect(said).toEqual(['Loading the page'])
  expect(screen.getAllByRole('status')).toEqual([region])
  rerender(<Page parts={[]} />)
  await pass(2_000)
  rerender(<Page parts={['videos']} />)
  await pass(2_000)
  expect(said).toEqual(['Loading the page', 'Loading videos'])
})

it('is not announced if it is replaced quickly', async () => {
  const { rerender } = render(<Page parts={['places']} />)
  expect(screen.getByRole('group', { name: 'Loading places' })).toHaveAttribute('aria-busy', 'true')
  await pass(400)
  rerender(<Page parts={[]} />)
  await pass(2_000)
  expect(screen.getByRole('status')).toBeEmptyDOMElement()
})
