/** The dashboard's path; each of its sections is a hash of it. */
export const DASHBOARD = '/accounts/dashboard'

/** Its first section, where a reader arrives whom no other page has led there. */
export const HOME = `${DASHBOARD}#/home/`
