/** The dashboard's path; each of its sections is a hash of it. */
export const DASHBOARD = '/accounts/dashboard'
