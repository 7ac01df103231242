import { NewsletterPanel } from '#/features/newsletters/NewsletterPanel'
import { useHasOwnForm } from '#/features/newsletters/own-form'
import { SiteLink } from '#/ui/SiteLink'
import { systemClock } from '#/lib/time'
import { dayIn } from '#/lib/zone'
import { Brand } from './Brand'
import { useSite } from './site'
import styles from './Footer.module.css'

export function Footer() {
  const site = useSite()
  const hasOwnForm = useHasOwnForm()
  const year = Number(dayIn(site.timezone, systemClock.now()).slice(0, 4))
  const years = year > site.start_year ? `${site.start_year}–${year}` : String(year)
  // Only configured links.
  const about = [site.masthead, site.app, site.patio_guide].filter((link) => link != null)
  return (
    <footer className={styles.footer}>
      <div className={styles.inner}>
        <div>
          <p className={styles.name}>
            <Brand />
          </p>
          <p className={styles.tagline}>{site.tagline}</p>
        </div>
        {!hasOwnForm && (
          <div className={styles.newsletter}>
            <NewsletterPanel type="news" look="footer" />
          </div>
        )}
        {site.footer.length + about.length > 0 && (
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
              {about.map((link) => (
                <li key={link.href}>
                  <SiteLink href={link.href}>{link.label}</SiteLink>
                </li>
              ))}
            </ul>
          </nav>
        )}
        {site.social.length > 0 && (
          <nav className={styles.social} aria-label={`${site.name} elsewhere`}>
            <ul className={styles.links}>
              {site.social.map((link) => (
                <li key={link.href}>
                  <a href={link.href} rel="noopener me">
                    {link.label}
                  </a>
                </li>
              ))}
            </ul>
          </nav>
        )}
        <p className={styles.years}>{`© ${years} ${site.name}`}</p>
      </div>
    </footer>
  )
}
