import { useState, type ComponentProps } from 'react'
import buttons from '#/ui/Button.module.css'
import { useGiveAnswer } from './account'
import { useThirdPartiesAllowed } from './consent'
import { ThirdPartyQuestion } from './ThirdPartyQuestion'

interface Props extends ComponentProps<'a'> {
  href: string
  /** As in `ThirdPartyQuestion`. */
  what: string
  /** The link's text after the question: "Go on to Facebook". */
  onward: string
}

/** A link to another company. It asks in place first, unless third-party content is allowed. */
export function ThirdPartyLink({ what, onward, children, ...link }: Props) {
  const isAllowed = useThirdPartiesAllowed()
  const answer = useGiveAnswer()
  const [isOpen, setOpen] = useState(false)
  const isAsked = isOpen && !isAllowed
  const { href, target, rel } = link
  const continueLink = { target, rel, className: `${buttons.button} ${buttons.outline}` }
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
            <a {...continueLink} href={href} onClick={() => setOpen(false)}>
              {onward}
            </a>
          }
          always={
            <a {...continueLink} href={href} onClick={() => answer('all')}>
              Always allow
            </a>
          }
        />
      )}
    </>
  )
}
