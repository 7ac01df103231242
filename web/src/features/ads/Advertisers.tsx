import { useQuery } from '@tanstack/react-query'
import { Retry } from '#/ui/Retry'
import { Skeleton } from '#/ui/Skeleton'
import { advertisersOptions } from './queries'

/** The names of those who advertise now. */
export function Advertisers() {
  const advertisers = useQuery(advertisersOptions())
  return (
    <section aria-labelledby="advertisers">
      <h2 id="advertisers">Who advertises now</h2>
      {advertisers.isPending ? (
        <div role="status" aria-label="Loading advertisers">
          <Skeleton width="60%" height="12rem" />
        </div>
      ) : advertisers.isError ? (
        <Retry onRetry={() => void advertisers.refetch()} />
      ) : advertisers.data.length === 0 ? (
        <p>Nobody advertises at the moment.</p>
      ) : (
        <ul>
          {advertisers.data.map(({ slug, name }) => (
            <li key={slug}>{name}</li>
          ))}
        </ul>
      )}
    </section>
  )
}
