import { useQuery } from '@tanstack/react-query'
import { openLogin, openSignUp } from '#/features/auth/dialogs'
import { useLogout } from '#/features/auth/mutations'
import { HOME } from '#/features/dashboard/address'
import { enabledSections, sectionHref, SECTIONS } from '#/features/dashboard/sections'
import { useSession } from '#/features/session/current'
import { meOptions } from '#/features/session/queries'
import { Button } from '#/ui/Button'
import { Skeleton } from '#/ui/Skeleton'
import { SiteLink } from '#/ui/SiteLink'
import { setPanel } from './chrome'
import { useSite } from './site'
import styles from './ProfilePanel.module.css'

export function ProfilePanel() {
  const session = useSession()
  if (session.status === 'checking') return <Skeleton height="2.75rem" />
  return session.status === 'member' ? <Member /> : <Guest />
}

function Guest() {
  return (
    <div className={styles.panel}>
      <p className={styles.lead}>Save the places you like and find them on every device.</p>
      <Button
        onClick={() => {
          setPanel(null)
          openLogin()
        }}
      >
        Log in
      </Button>
      <Button
        look="outline"
        onClick={() => {
          setPanel(null)
          openSignUp()
        }}
      >
        Sign up
      </Button>
    </div>
  )
}

function Member() {
  const site = useSite()
  const me = useQuery(meOptions())
  const logout = useLogout()
  const sections = enabledSections(site).filter((section) => SECTIONS[section].isInPanel)
  const name = me.data && [me.data.first_name, me.data.last_name].filter(Boolean).join(' ')
  return (
    <div className={styles.panel}>
      <p className={styles.lead}>
        {name ? `Logged in as ${name}` : me.isPending ? <Skeleton height="1.4em" /> : 'Logged in'}
      </p>
      <ul className={styles.links}>
        <li>
          <SiteLink href={HOME} onClick={() => setPanel(null)}>
            Your dashboard
          </SiteLink>
        </li>
        {sections.map((section) => (
          <li key={section}>
            <SiteLink href={sectionHref(section)} onClick={() => setPanel(null)}>
              {SECTIONS[section].label}
            </SiteLink>
          </li>
        ))}
      </ul>
      <Button look="outline" isBusy={logout.isPending} onClick={() => logout.mutate()}>
        Log out now
      </Button>
    </div>
  )
}
