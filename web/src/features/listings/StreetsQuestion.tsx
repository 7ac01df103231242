import { useGiveAnswer } from '#/features/consent/account'
import { ThirdPartyQuestion } from '#/features/consent/ThirdPartyQuestion'
import { Button } from '#/ui/Button'
import type { Streets } from './streets'

/** Below a map without streets: asks whether to load them from another company. */
export function StreetsQuestion({ streets: { provider, allow } }: { streets: Streets }) {
  const answer = useGiveAnswer()
  if (provider === null) return null
  return (
    <ThirdPartyQuestion
      what={`The streets of this map come from ${provider}`}
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
