import { useEffect, type ReactNode } from 'react'
import { announce } from '#/ui/Announcer'
import { Notice } from '#/ui/Notice'

interface Props {
  title: string
  children: ReactNode
}

/** Moves the focus here, because the focused button has been removed. */
function focusOn(element: HTMLElement | null): void {
  element?.focus()
}

/** The result of a mailed link, in place of its form. */
export function Outcome({ title, children }: Props) {
  useEffect(() => announce(title), [title])
  return (
    <div tabIndex={-1} ref={focusOn}>
      <Notice level={1} title={title}>
        {children}
      </Notice>
    </div>
  )
}
