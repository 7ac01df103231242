import { useQuery } from '@tanstack/react-query'
import { useState, type FormEvent } from 'react'
import { SearchIcon } from '#/ui/icons'
import { SelectField } from '#/ui/SelectField'
import type { ListingFilters } from './keys'
import { DEFAULT_ORDERING, listingTypesOptions, neighbourhoodsOptions, ORDERINGS } from './queries'
import styles from './FilterBar.module.css'

interface Props {
  filters: ListingFilters
  hidden: 'type' | 'neighbourhood' | undefined
  onChange: (changes: ListingFilters) => void
}

export function FilterBar({ filters, hidden, onChange }: Props) {
  const types = useQuery(listingTypesOptions())
  const neighbourhoods = useQuery(neighbourhoodsOptions())
  return (
    <div className={styles.bar}>
      <KeywordSearch
        key={filters.keywords}
        keywords={filters.keywords ?? ''}
        onSearch={(keywords) => onChange({ keywords })}
      />
      {hidden !== 'type' && (
        <SelectField
          label="Type"
          value={filters.type ?? ''}
          options={[{ value: '', label: 'All types' }, ...bySlug(types.data)]}
          onChange={(type) => onChange({ type, sub_type: undefined })}
        />
      )}
      {hidden !== 'neighbourhood' && (
        <SelectField
          label="Neighbourhood"
          value={filters.neighbourhood ?? ''}
          options={[{ value: '', label: 'All neighbourhoods' }, ...bySlug(neighbourhoods.data)]}
          onChange={(neighbourhood) => onChange({ neighbourhood })}
        />
      )}
      <SelectField
        label="Sort"
        value={filters.ordering ?? DEFAULT_ORDERING}
        options={ORDERINGS}
        onChange={(ordering) => onChange({ ordering })}
      />
    </div>
  )
}

function bySlug(rows: readonly { slug: string; name: string }[] = []) {
  return rows.map((row) => ({ value: row.slug, label: row.name }))
}

interface SearchProps {
  keywords: string
  onSearch: (keywords: string) => void
}

function KeywordSearch({ keywords, onSearch }: SearchProps) {
  const [text, setText] = useState(keywords)
  const submit = (event: FormEvent): void => {
    event.preventDefault()
    const words = text.trim()
    // White space is no search; an emptied box takes the search away.
    if (words || keywords) onSearch(words)
  }
  return (
    <form className={styles.search} role="search" aria-label="Places" onSubmit={submit}>
      <input
        type="search"
        name="keywords"
        aria-label="Search places by name"
        placeholder="Search places"
        maxLength={200}
        enterKeyHint="search"
        value={text}
        onChange={(event) => setText(event.target.value)}
      />
      <button type="submit" aria-label="Search">
        <SearchIcon />
      </button>
    </form>
  )
}
