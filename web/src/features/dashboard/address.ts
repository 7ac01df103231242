export const DASHBOARD = '/accounts/dashboard'

/** The hash of the section that the dashboard shows first. */
export const HOME_HASH = '/home/'

/** The address of that section. */
export const HOME = `${DASHBOARD}#${HOME_HASH}`
