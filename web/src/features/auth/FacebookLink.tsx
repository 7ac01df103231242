import { ThirdPartyLink } from '#/features/consent/ThirdPartyLink'
import buttons from '#/ui/Button.module.css'
import { facebookAddress } from './facebook'
import type { Destination } from './mutations'

interface Props {
  to: Destination
  children: string
}

/** Links to Facebook with a full load: the server redirects the browser. */
export function FacebookLink({ to, children }: Props) {
  return (
    <ThirdPartyLink
      className={`${buttons.button} ${buttons.outline}`}
      href={facebookAddress(to)}
      what="This log-in is by Facebook"
      onward="Go on to Facebook"
    >
      {children}
    </ThirdPartyLink>
  )
}
