import { useState } from 'react'
import { ACCOUNT } from './account'
import { CARDS } from './cards'
import { FORMS } from './forms'
import { UI } from './ui'
import { applyPalette, PALETTES, type Palette } from './palette'
import type { States } from './states'
import styles from './Workbench.module.css'

const GROUPS: readonly [string, States][] = [
  ['ui', UI],
  ['ui/form', FORMS],
  ['cards', CARDS],
  ['account', ACCOUNT],
]

/** Every component in each of its states. */
export function Workbench() {
  const [palette, setPalette] = useState<Palette>('system')
  const choose = (next: Palette): void => {
    applyPalette(next)
    setPalette(next)
  }
  return (
    <>
      <header className={styles.head}>
        <h1>Workbench</h1>
        <p className={styles.palettes} role="group" aria-label="Palette">
          {PALETTES.map((name) => (
            <button
              key={name}
              type="button"
              aria-pressed={name === palette}
              onClick={() => choose(name)}
            >
              {name}
            </button>
          ))}
        </p>
        {GROUPS.map(([group, components]) => (
          <nav key={group} className={styles.names} aria-label={group}>
            {Object.keys(components).map((name) => (
              <a key={name} href={`#${name}`}>
                {name}
              </a>
            ))}
          </nav>
        ))}
      </header>
      <main className={styles.main}>
        {GROUPS.flatMap(([, components]) => Object.entries(components)).map(([name, states]) => (
          <section key={name} id={name} aria-label={name}>
            <h2>{name}</h2>
            {Object.entries(states).map(([state, element]) => (
              <figure key={state} className={styles.state}>
                <figcaption>{state}</figcaption>
                {element}
              </figure>
            ))}
          </section>
        ))}
      </main>
    </>
  )
}
