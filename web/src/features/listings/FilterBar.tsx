import { useQuery } from '@tanstack/react-query'
import styles from '#/features/grid/FilterBar.module.css'
import { KeywordSearch } from '#/ui/KeywordSearch'
import { SelectField } from '#/ui/SelectField'
import type { ListingFilters } from './queries'
import { DEFAULT_ORDERING, listingTypesOptions, neighbourhoodsOptions, ORDERINGS } from './queries'

const HOURS = [
  { value: '', label: 'Any hours' },
  { value: '1', label: 'Open now' },
] as const

interface Props {
  filters: ListingFilters
  hidden: 'type' | 'neighbourhood' | undefined
  onSearch: (changes: ListingFilters) => void
  /** Called when an option of a select box is chosen. */
  onSelect: (changes: ListingFilters) => void
}

export function FilterBar({ filters, hidden, onSearch, onSelect }: Props) {
  const types = useQuery({ ...listingTypesOptions(), enabled: hidden !== 'type' })
  const isInArea = hidden === 'neighbourhood'
  const neighbourhoods = useQuery({ ...neighbourhoodsOptions(), enabled: !isInArea })
  return (
    <div className={styles.bar}>
      <KeywordSearch
        key={filters.keywords}
        what="places"
        keywords={filters.keywords ?? ''}
        onSearch={(keywords) => onSearch({ keywords })}
      />
      <SelectField
        label="Hours"
        value={filters.open_now ?? ''}
        options={HOURS}
        onChange={(value) => onSelect({ open_now: value })}
      />
      {hidden !== 'type' && (
        <SelectField
          label="Type"
          value={filters.type ?? ''}
          options={[{ value: '', label: 'All types' }, ...bySlug(types.data)]}
          onChange={(type) => onSelect({ type, sub_type: undefined })}
        />
      )}
      {!isInArea && (
        <SelectField
          label="Neighbourhood"
          value={filters.neighbourhood ?? ''}
          options={[{ value: '', label: 'All neighbourhoods' }, ...bySlug(neighbourhoods.data)]}
          onChange={(neighbourhood) => onSelect({ neighbourhood })}
        />
      )}
      <SelectField
        label="Sort"
        value={filters.ordering ?? DEFAULT_ORDERING}
        options={ORDERINGS}
        onChange={(ordering) => onSelect({ ordering })}
      />
    </div>
  )
}

function bySlug(rows: readonly { slug: string; name: string }[] = []) {
  return rows.map((row) => ({ value: row.slug, label: row.name }))
}
