import { useEffect, type ReactNode } from 'react'
import { announce } from '#/ui/Announcer'
import { Notice } from '#/ui/Notice'

interface Props {
  title: string
  children: ReactNode
}

/** The button that had the focus is gone. */
function focusOn(element: HTMLElement | null): void {
  element?.focus()
}

/** The result of a mailed link, in place of the form that has used it. */
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
