import { useState, type ComponentProps } from 'react'
import buttons from '#/ui/Button.module.css'
import { useAnswer } from './account'
import { useThirdPartiesAllowed } from './consent'
import { ThirdPartyQuestion } from './ThirdPartyQuestion'

interface Props extends ComponentProps<'a'> {
  href: string
  /** As in `ThirdPartyQuestion`. */
  what: string
  /** The link's words where it was asked about: "Go on to Facebook". */
  onward: string
}

/** A link to another company, which asks in place before it leads there, unless such things may be loaded anyway. */
export function ThirdPartyLink({ what, onward, children, ...link }: Props) {
  const isAllowed = useThirdPartiesAllowed()
  const answer = useAnswer()
  const [isOpen, setOpen] = useState(false)
  const isAsked = isOpen && !isAllowed
  const { href, target, rel } = link
  const onwards = { target, rel, className: `${buttons.button} ${buttons.outline}` }
  return (
    <>
      <a
        {...link}
        href={href}
        onClick={(event) => {
          if (isAllowed) return
          event.preventDefault()
          setOpen(true)
        }}
      >
        {children}
      </a>
      {isAsked && (
        <ThirdPartyQuestion
          takesFocus
          what={what}
          once={
            <a {...onwards} href={href} onClick={() => setOpen(false)}>
              {onward}
            </a>
          }
          always={
            <a {...onwards} href={href} onClick={() => answer('all')}>
              Always allow
            </a>
          }
        />
      )}
    </>
  )
}
