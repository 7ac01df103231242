import { useAnswer } from '#/features/consent/account'
import { ThirdPartyQuestion } from '#/features/consent/ThirdPartyQuestion'
import { Button } from '#/ui/Button'
import type { Streets } from './streets'

/** Below a map without streets, which another company would learn of: whether it may have them. */
export function StreetsQuestion({ streets: { askedOf, allow } }: { streets: Streets }) {
  const answer = useAnswer()
  if (askedOf === null) return null
  return (
    <ThirdPartyQuestion
      what={`The streets of this map come from ${askedOf}`}
      once={
        <Button look="outline" onClick={allow}>
          Show the streets
        </Button>
      }
      always={
        <Button look="outline" onClick={() => answer('all')}>
          Always allow
        </Button>
      }
    />
  )
}
