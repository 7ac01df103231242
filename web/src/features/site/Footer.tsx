import { SiteLink } from '#/ui/SiteLink'
import { useSite } from './site'
import styles from './Footer.module.css'

export function Footer() {
  const site = useSite()
  const year = new Date().getFullYear()
  const years = year > site.start_year ? `${site.start_year}–${year}` : String(year)
  return (
    <footer className={styles.footer}>
      <div className={styles.inner}>
        <div>
          <p className={styles.name}>{site.name}</p>
          <p className={styles.tagline}>{site.tagline}</p>
        </div>
        {site.footer.length > 0 && (
          <nav aria-label="About this site">
            <ul className={styles.links}>
              {site.footer.map((link) => (
                <li key={link.href}>
                  {link.new_tab ? (
                    <a href={link.href} target="_blank" rel="noopener">
                      {link.label}
                    </a>
                  ) : (
                    <SiteLink href={link.href}>{link.label}</SiteLink>
                  )}
                </li>
              ))}
            </ul>
          </nav>
        )}
        <p className={styles.years}>
          © {years} {site.name}
        </p>
      </div>
    </footer>
  )
}
