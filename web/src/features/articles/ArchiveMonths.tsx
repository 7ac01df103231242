import { grouped } from '#/lib/words'
import { useQuery } from '@tanstack/react-query'
import type { ArchiveMonth } from '#/api/types'
import { useSite } from '#/features/site/site'
import { PageTitle } from '#/features/site/PageTitle'
import { Counted } from '#/ui/Counted'
import { Loaded } from '#/ui/Loaded'
import { Notice } from '#/ui/Notice'
import { PageHead } from '#/ui/PageHead'
import { Placeholder } from '#/ui/Placeholder'
import { Skeleton } from '#/ui/Skeleton'
import { monthAddress } from './archive-address'
import styles from './ArchiveMonths.module.css'
import { archivesOptions } from './queries'

/** Every month with published articles, by year. */
export function ArchiveMonths() {
  const site = useSite()
  const months = useQuery(archivesOptions())
  return (
    <>
      <PageTitle page="Archives" />
      <PageHead title="Archives" deck={months.data ? summary(months.data, site.city) : ''} />
      <Loaded
        query={months}
        skeleton={
          <Placeholder what="the archives">
            <Skeleton height="16rem" />
          </Placeholder>
        }
      >
        {(loaded) => <Years months={loaded} />}
      </Loaded>
    </>
  )
}

function Years({ months }: { months: readonly ArchiveMonth[] }) {
  if (months.length === 0) {
    return (
      <Notice isEmpty title="No articles yet">
        <p>The first articles are being written. Check back soon.</p>
      </Notice>
    )
  }
  return (
    <div className={styles.years}>
      {byYear(months).map(([year, rows]) => (
        <section key={year} className={styles.year} aria-labelledby={`year-${year}`}>
          <h2 className={styles.number} id={`year-${year}`}>
            {year}
          </h2>
          <ul className={styles.months}>
            {rows.map((row) => (
              <li key={row.month}>
                <Counted
                  href={monthAddress(row.year, row.month)}
                  name={row.name}
                  count={row.count}
                  unit={['article', 'articles']}
                />
              </li>
            ))}
          </ul>
        </section>
      ))}
    </div>
  )
}

function summary(months: readonly ArchiveMonth[], city: string): string {
  const total = months.reduce((sum, row) => sum + row.count, 0)
  const stories = total === 1 ? '1 story' : `${grouped(total)} stories`
  return total > 0 ? `${stories} about ${city}, month by month.` : ''
}

function byYear(months: readonly ArchiveMonth[]): [number, ArchiveMonth[]][] {
  const years = new Map<number, ArchiveMonth[]>()
  for (const row of months) years.set(row.year, [...(years.get(row.year) ?? []), row])
  return [...years]
}
