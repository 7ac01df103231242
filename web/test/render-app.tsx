import { render } from '@testing-library/react'
import type { ReactNode } from 'react'
import { appAround, type Options } from './app-around'

/** Renders a page, or a part of one, inside the application's frame and providers. */
export function renderApp(page: ReactNode, options?: Options) {
  const { element, ...around } = appAround(page, options)
  render(element)
  return around
}
