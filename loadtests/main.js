// Usage: k6 run loadtests/main.js, with BASE_URL and PROFILE; see README.md.
export { options, setup } from './lib/config.js'
export { browse } from './scenarios/browse.js'
export { toggle } from './scenarios/toggle.js'
