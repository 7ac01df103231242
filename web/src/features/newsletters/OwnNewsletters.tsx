import { SECTIONS } from '#/features/dashboard/sections'
import { PageHead } from '#/ui/PageHead'
import { NewsletterSettings } from './NewsletterSettings'

/** The dashboard's section of newsletters. */
export function OwnNewsletters() {
  return (
    <>
      <PageHead
        title={SECTIONS.newsletters.label}
        deck="What you get by email, and what you do not."
      />
      <NewsletterSettings />
    </>
  )
}
