import { useQuery } from '@tanstack/react-query'
import { Loaded } from '#/ui/Loaded'
import { Placeholder } from '#/ui/Placeholder'
import { Skeleton } from '#/ui/Skeleton'
import { advertisersOptions } from './queries'

/** The names of the current advertisers. */
export function Advertisers() {
  const advertisers = useQuery(advertisersOptions())
  return (
    <section aria-labelledby="advertisers">
      <h2 id="advertisers">Who advertises now</h2>
      <Loaded
        query={advertisers}
        skeleton={
          <Placeholder what="advertisers">
            <Skeleton width="60%" height="12rem" />
          </Placeholder>
        }
      >
        {(loaded) =>
          loaded.length === 0 ? (
            <p>Nobody advertises at the moment.</p>
          ) : (
            <ul>
              {loaded.map(({ slug, name }) => (
                <li key={slug}>{name}</li>
              ))}
            </ul>
          )
        }
      </Loaded>
    </section>
  )
}
