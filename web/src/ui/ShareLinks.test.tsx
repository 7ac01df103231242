import { render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, it, vi } from 'vitest'
import { ShareLinks } from './ShareLinks'

const links = () => screen.getAllByRole('link')

it('opens the two services in windows of 670x340 and 550x425', async () => {
  const small = { opener: window, location: { replace: vi.fn() } }
  const open = vi.spyOn(window, 'open').mockReturnValue(small as unknown as Window)
  render(<ShareLinks path="/news/a-story/" title="A story & more" />)
  for (const link of links()) await userEvent.click(link)

  const sizes = open.mock.calls.map(([, , features]) => features)
  expect(sizes).toEqual(['popup,width=670,height=340', 'popup,width=550,height=425'])
  const [facebook, x] = small.location.replace.mock.calls.map(([to]) => new URL(to as string))
  expect(facebook?.searchParams.get('u')).toBe('http://localhost:3000/news/a-story/')
  expect(x?.searchParams.get('text')).toBe('A story & more')
  expect(small.opener).toBeNull()
})

it('is a plain link where windows are blocked', async () => {
  vi.spyOn(window, 'open').mockReturnValue(null)
  render(<ShareLinks path="/news/a-story/" title="A story" />)
  const [first] = links()
  if (!first) throw new Error('no link')
  let isFollowed = false
  window.addEventListener(
    'click',
    (event) => {
      isFollowed = !event.defaultPrevented
      event.preventDefault()
    },
    { once: true },
  )
  await userEvent.click(first)
  expect(isFollowed).toBe(true)
  expect(first).toHaveAttribute('target', '_blank')
})
