import { PageHead } from '#/ui/PageHead'
import { NewsletterSettings } from './NewsletterSettings'
import { NEWSLETTER_SECTION } from './section'

/** The dashboard's section of newsletters. */
export function OwnNewsletters() {
  return (
    <>
      <PageHead
        title={NEWSLETTER_SECTION.label}
        deck="What you get by email, and what you do not."
      />
      <NewsletterSettings />
    </>
  )
}
