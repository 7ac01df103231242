import { grouped } from '#/lib/words'
import { useQueries } from '@tanstack/react-query'
import { Shelf } from '#/features/grid/Shelf'
import { GridSkeleton } from '#/features/grid/Grid'
import { useSite } from '#/features/site/site'
import type { Page } from '#/lib/paging'
import { Notice } from '#/ui/Notice'
import { Retry } from '#/ui/Retry'
import { SectionHeading } from '#/ui/SectionHeading'
import { SiteLink } from '#/ui/SiteLink'
import { searchAddress } from './categories'
import { kindsOf, resultsOptions, type Kind } from './kinds'
import styles from './Results.module.css'

interface Props {
  words: string
}

/** A few results of each kind, each with a link to all of its kind. */
export function Results({ words }: Props) {
  const site = useSite()
  const kinds = kindsOf(site)
  const answers = useQueries({ queries: kinds.map((kind) => resultsOptions(kind, words)) })
  const failed = answers.filter((answer) => answer.isError)
  const again = (): void => failed.forEach((answer) => void answer.refetch())
  if (answers.some((answer) => answer.isPending)) return <GridSkeleton what="results" />
  if (failed.length === kinds.length) return <Retry onRetry={again} />

  const found = kinds.flatMap((kind, index) => {
    const page = answers[index]?.data
    return page && page.results.length > 0 ? [{ kind, page }] : []
  })
  return (
    <>
      <p className={styles.summary} role="status">
        {found.length > 0 && found.map(({ kind, page }) => inNumbers(kind, page)).join(' · ')}
      </p>
      {found.length === 0 && failed.length === 0 && (
        <Notice title="Nothing matches that">
          <p>Try fewer or other words. The search covers the names of places and headlines.</p>
        </Notice>
      )}
      {found.map(({ kind, page }) => (
        <section key={kind.value} className={styles.kind}>
          <SectionHeading
            aside={
              <SiteLink href={searchAddress(kind.value, words, site)}>
                All {kind.unit[1]} that match
              </SiteLink>
            }
          >
            {kind.title}
          </SectionHeading>
          <Shelf>
            {page.results.map((item) => (
              <li key={item.id}>{kind.card(item)}</li>
            ))}
          </Shelf>
        </section>
      ))}
      {failed.length > 0 && <Retry title="Some results did not load" onRetry={again} />}
    </>
  )
}

function inNumbers({ unit: [one, many] }: Kind, { count, results, next }: Page<unknown>): string {
  const isKnown = count !== -1
  const number = isKnown ? count : results.length
  // The total of a search may be unknown; then only the shown ones are counted.
  const orMore = !isKnown && next ? '+' : ''
  return number === 1 && !orMore ? `1 ${one}` : `${grouped(number)}${orMore} ${many}`
}
