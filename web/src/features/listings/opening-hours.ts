const DAYS: Record<string, string> = {
  Mo: 'Mon',
  Tu: 'Tue',
  We: 'Wed',
  Th: 'Thu',
  Fr: 'Fri',
  Sa: 'Sat',
  Su: 'Sun',
  PH: 'Public holidays',
}

/** OpenStreetMap's `opening_hours`, one line per rule, with its abbreviations spelled out. */
export function hoursInWords(hours: string): string[] {
  if (hours.trim() === '24/7') return ['Always open']
  return hours
    .split(';')
    .map((rule) => rule.trim())
    .filter(Boolean)
    .map((rule) =>
      rule
        .replace(/\b(Mo|Tu|We|Th|Fr|Sa|Su|PH)\b/g, (day) => DAYS[day] ?? day)
        .replace(/-/g, '–')
        // A range of times stays on one line.
        .replace(/(\d)–(\d)/g, '$1\u2060–\u2060$2')
        .replace(/,(?=\S)/g, ', ')
        .replace(/\boff\b/g, 'closed'),
    )
}
