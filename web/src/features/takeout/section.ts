/** The dashboard's section of places that the reader brings along. */
export const TAKEOUT_SECTION = { hash: '/takeout/', label: 'From Google Maps' }
