import { useSession } from '#/features/session/current'
import { NewsletterSettings, NewslettersSkeleton } from '#/features/newsletters/NewsletterSettings'
import { useOwnForm } from '#/features/newsletters/own-form'
import { SubscribeToMany } from '#/features/newsletters/SubscribeToMany'
import { PageTitle } from '#/features/site/PageTitle'
import { useSite } from '#/features/site/site'
import { PageHead } from '#/ui/PageHead'

export function NewslettersPage() {
  const site = useSite()
  const session = useSession()
  useOwnForm(true)
  return (
    <>
      <PageTitle page="Newsletters" />
      <PageHead
        title="Newsletters"
        deck={
          <>
            Pick what {site.name} sends you. Unsubscribe with one click.{' '}
            <a href="/newsletters/issues/">Earlier issues</a>
          </>
        }
      />
      {session.status === 'checking' && <NewslettersSkeleton />}
      {session.status === 'member' && <NewsletterSettings />}
      {session.status === 'guest' && <SubscribeToMany />}
    </>
  )
}
