import { useSearch } from '@tanstack/react-router'
import { ADVERTISING, SUBJECTS } from '#/features/contact/contact'
import { ContactForm } from '#/features/contact/ContactForm'
import { useSite } from '#/features/site/site'
import { PageTitle } from '#/features/site/PageTitle'
import { PageHead } from '#/ui/PageHead'

export function ContactPage() {
  const site = useSite()
  const isAboutAds = 'advertise' in useSearch({ strict: false })
  return (
    <>
      <PageTitle page="Contact" />
      <PageHead
        title={isAboutAds ? 'Advertise' : 'Contact'}
        deck={
          isAboutAds
            ? `Tell us what you would like ${site.city} to know about.`
            : `Write to ${site.name}. We read everything.`
        }
      />
      <ContactForm key={String(isAboutAds)} subject={isAboutAds ? ADVERTISING : SUBJECTS[0]} />
    </>
  )
}
