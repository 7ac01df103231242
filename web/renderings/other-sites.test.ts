import { compareSite, SITES } from './sites'

// The guide has its own file, so that both files run at the same time.
for (const name of SITES.filter((one) => one !== 'guide')) compareSite(name, 'America/Toronto')
