import buttons from '#/ui/Button.module.css'
import { facebookAddress } from './facebook'
import type { Destination } from './mutations'

interface Props {
  to: Destination
  children: string
}

/** Leads to Facebook by a full load: the server sends the browser on. */
export function FacebookLink({ to, children }: Props) {
  return (
    <a className={`${buttons.button} ${buttons.outline}`} href={facebookAddress(to)}>
      {children}
    </a>
  )
}
