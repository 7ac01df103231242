import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { Found, Listing, SearchPage, Site } from '#/api/types'
import { Grid, GridSkeleton } from '#/features/grid/Grid'
import { Shelf } from '#/features/grid/Shelf'
import { PlacesMap } from '#/features/listings/PlacesMap'
import { useSite } from '#/features/site/site'
import { itemsOf } from '#/lib/paging'
import { grouped } from '#/lib/words'
import { Button } from '#/ui/Button'
import { LoadMore } from '#/ui/LoadMore'
import { Retry } from '#/ui/Retry'
import { SectionHeading } from '#/ui/SectionHeading'
import { SiteLink } from '#/ui/SiteLink'
import { kindsOf, searchAddress, type KindCategory } from './categories'
import { SearchResult } from './SearchResult'
import { NearMe } from './NearMe'
import { Nothing } from './Nothing'
import { resultPagesOptions, resultsOptions, type Search } from './queries'
import { Understood } from './Understood'
import styles from './Results.module.css'

/** Results of a kind that are shown among those of all kinds. */
const SHOWN = 4

interface Props {
  search: Search
  onNear: (position: string) => void
}

/** What a search has found: a few results of each kind, or all of one. */
export function Results({ search, onNear }: Props) {
  const site = useSite()
  const { words, category } = search
  const answer = useQuery(resultsOptions(search))
  if (answer.isPending) return <GridSkeleton what="results" />
  if (answer.isError) return <Retry onRetry={() => void answer.refetch()} />
  const one = kindsOf(site).find(({ value }) => value === category)
  return (
    <>
      <Understood words={words} category={category} answer={answer.data} />
      {answer.data.understood.near && !search.near && <NearMe onPosition={onNear} />}
      <p className={styles.summary} role="status">
        {inNumbers(answer.data, one)}
      </p>
      {answer.data.results.length === 0 ? (
        <Nothing words={words} category={category} />
      ) : one ? (
        <OfOneKind search={search} kind={one} first={answer.data} />
      ) : (
        <OfAllKinds words={words} results={answer.data.results} site={site} />
      )}
    </>
  )
}

/** The kinds in the order of their best results. */
function OfAllKinds({ words, results, site }: { words: string; results: Found[]; site: Site }) {
  const place = (kind: KindCategory): number =>
    results.findIndex((found) => found.kind === kind.kind)
  const kinds = kindsOf(site)
    .filter((kind) => place(kind) >= 0)
    .sort((one, other) => place(one) - place(other))
  return kinds.map(({ value, kind, label, unit: [, many] }) => (
    <section key={value} className={styles.kind}>
      <SectionHeading
        aside={<SiteLink href={searchAddress(value, words)}>All {many} that match</SiteLink>}
      >
        {label}
      </SectionHeading>
      <Shelf>
        {results
          .filter((found) => found.kind === kind)
          .slice(0, SHOWN)
          .map((found) => (
            <li key={found.id}>
              <SearchResult found={found} />
            </li>
          ))}
      </Shelf>
    </section>
  ))
}

interface OfOneKindProps {
  search: Search
  kind: KindCategory
  first: SearchPage
}

function OfOneKind({ search, kind, first }: OfOneKindProps) {
  const list = useInfiniteQuery(resultPagesOptions(search, first))
  const [hasMap, setHasMap] = useState(false)
  const pages = list.data.pages
  const items = itemsOf(pages)
  const places = items.filter((found): found is Found & Listing => found.kind === 'listing')
  return (
    <>
      <h2 className="visually-hidden">{kind.label}</h2>
      {places.length > 0 && (
        <div className={styles.map}>
          <Button look="outline" aria-expanded={hasMap} onClick={() => setHasMap(!hasMap)}>
            {hasMap ? 'Hide the map' : 'Show on a map'}
          </Button>
          {hasMap && <PlacesMap what="the places that match" places={places} />}
        </div>
      )}
      <Grid>
        {items.map((found) => (
          <li key={found.id}>
            <SearchResult found={found} />
          </li>
        ))}
      </Grid>
      <LoadMore
        hasMore={list.hasNextPage}
        isLoading={list.isFetchingNextPage}
        isFailed={list.isFetchNextPageError}
        loaded={items.length}
        total={pages[0]?.count ?? -1}
        onMore={() => void list.fetchNextPage()}
      />
    </>
  )
}

function inNumbers({ count, results }: SearchPage, kind: KindCategory | undefined): string {
  if (results.length === 0) return ''
  const [one, many] = kind?.unit ?? ['result', 'results']
  // Beyond 300 only the best are ranked.
  if (count === -1) return `The best 300 ${many}`
  return count === 1 ? `1 ${one}` : `${grouped(count)} ${many}`
}
