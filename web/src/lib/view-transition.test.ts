import { afterEach, expect, it, vi } from 'vitest'
import { setTransitionSource, transitionTypes } from './view-transition'

afterEach(() => {
  setTransitionSource(null)
  document.body.replaceChildren()
})

const at = (pathname: string) => ({ pathname })

it('animates between pages, and not within one', () => {
  const types = (from: string, to: string) =>
    transitionTypes({ fromLocation: at(from), toLocation: at(to) })
  expect(types('/places/', '/bars/longwave/')).toEqual(['page'])
  expect(types('/places/', '/places/')).toBe(false)
})

it('does not animate for a reader who prefers reduced motion', () => {
  vi.spyOn(window, 'matchMedia').mockReturnValue({ matches: true } as MediaQueryList)
  expect(transitionTypes({ fromLocation: at('/'), toLocation: at('/places/') })).toBe(false)
})

it('names one picture at a time', () => {
  const [hero, first, second] = [0, 1, 2].map(() => {
    const element = document.createElement('div')
    document.body.append(element)
    return element
  })
  hero?.setAttribute('data-hero', '')
  const names = () => [hero, first, second].map((one) => one?.style.viewTransitionName ?? '')
  setTransitionSource(first ?? null)
  setTransitionSource(second ?? null)
  // jsdom may not support the property.
  const read = [hero, first, second].map((one) =>
    one?.style.getPropertyValue('view-transition-name'),
  )
  expect(read.map((name, index) => name || (names()[index] ?? ''))).toEqual(['none', '', 'hero'])
})
