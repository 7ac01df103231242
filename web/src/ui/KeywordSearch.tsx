import { useState, type SubmitEvent } from 'react'
import { SearchIcon } from './icons'
import styles from './KeywordSearch.module.css'

interface Props {
  /** The noun in the placeholder: "places". */
  what: string
  keywords: string
  onSearch: (keywords: string) => void
}

/** Searches a list by name. Use the keywords as its key, so that it follows the address. */
export function KeywordSearch({ what, keywords, onSearch }: Props) {
  const [text, setText] = useState(keywords)
  const submit = (event: SubmitEvent): void => {
    event.preventDefault()
    const words = text.trim()
    // White space is ignored; an empty box clears the search.
    if (words || keywords) onSearch(words)
  }
  const label = what.charAt(0).toUpperCase() + what.slice(1)
  return (
    <form className={styles.search} role="search" aria-label={label} onSubmit={submit}>
      <input
        type="search"
        name="keywords"
        aria-label={`Search ${what} by name`}
        placeholder={`Search ${what}`}
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
