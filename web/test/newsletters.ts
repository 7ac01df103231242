import type { Newsletter } from '#/api/types'

const newsletter = (kind: string, title: string, schedule: string): Newsletter => ({
  kind,
  title,
  schedule,
  description: `All about ${title}.`,
  consent: `Send me ${title} from A City by email. I can unsubscribe at any time.`,
})

/** Some of a site's newsletters, in order. */
export const NEWSLETTERS: Newsletter[] = [
  newsletter('news', 'Top Stories', 'Daily'),
  newsletter('foods', 'Dished', 'Weekly'),
  newsletter('contests', 'Contests', 'No set schedule'),
  newsletter('promotions', 'Promotions', 'No set schedule'),
]
