import { useNavigate } from '@tanstack/react-router'
import { useState, type SubmitEvent, type RefObject } from 'react'
import { useSite } from '#/features/site/site'
import { Button } from '#/ui/Button'
import { SearchIcon } from '#/ui/icons'
import { categoriesOf, searchAddress, type Category } from './categories'
import styles from './SearchPanel.module.css'
import { takeTyped } from './typed-ahead'

interface Props {
  box: RefObject<HTMLInputElement | null>
  onClose: () => void
}

/** The search box with its categories. */
export function SearchPanel({ box, onClose }: Props) {
  const site = useSite()
  const navigate = useNavigate()
  const [category, setCategory] = useState<Category>('all')
  const [text, setText] = useState('')

  const submit = (event: SubmitEvent): void => {
    event.preventDefault()
    const words = text.trim()
    // White space alone is ignored.
    if (!words) return
    onClose()
    const { pathname, searchParams } = new URL(
      searchAddress(category, words, site),
      window.location.origin,
    )
    void navigate({ to: pathname, search: Object.fromEntries(searchParams) })
  }

  return (
    <form className={styles.panel} role="search" aria-label="The whole site" onSubmit={submit}>
      <div className={styles.box}>
        <SearchIcon className={styles.icon} />
        <input
          ref={box}
          type="search"
          name="q"
          aria-label="Search for"
          autoComplete="off"
          maxLength={200}
          enterKeyHint="search"
          value={text}
          onFocus={() => {
            const ahead = takeTyped()
            if (ahead) setText((before) => before + ahead)
          }}
          onChange={(event) => setText(event.target.value)}
        />
      </div>
      <fieldset className={styles.categories}>
        <legend className="visually-hidden">Search in</legend>
        {categoriesOf(site).map(({ value, label }) => (
          <label key={value} className={styles.category}>
            <input
              type="radio"
              name="category"
              value={value}
              checked={category === value}
              onChange={() => setCategory(value)}
            />
            {label}
          </label>
        ))}
      </fieldset>
      <div className={styles.buttons}>
        <Button type="submit">Search</Button>
        <Button look="outline" onClick={onClose}>
          Cancel
        </Button>
      </div>
    </form>
  )
}
