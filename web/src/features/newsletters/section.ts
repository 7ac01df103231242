/** The dashboard's section of the reader's newsletters (spec, section 2). */
export const NEWSLETTER_SECTION = { hash: '/newsletter/', label: 'Newsletters' } as const
