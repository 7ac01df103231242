import { useQuery } from '@tanstack/react-query'
import { useSite } from '#/features/site/site'
import { useMinute } from '#/lib/use-minute'
import { factsOf, nextEvent } from './evening'
import { tonightOptions } from './queries'

/** The next event and the facts of the evening. */
export default function TonightFacts() {
  const { timezone } = useSite()
  const { data: tonight } = useQuery(tonightOptions())
  const now = useMinute()
  if (!tonight) return null
  const facts = [nextEvent(tonight, timezone, now), ...factsOf(tonight, timezone)]
  return facts.filter(Boolean).map((fact) => <span key={fact}>{fact}</span>)
}
