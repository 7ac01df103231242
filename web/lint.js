// Checks that no rule of the linter covers.

const noNetworkIdle = {
  /** @param {{ report: (problem: object) => void }} context */
  create: (context) => ({
    /** @param {{ value: unknown }} node */
    Literal(node) {
      if (node.value !== 'networkidle') return
      const message =
        'It waits for half a second without requests: use `pageLoaded` (e2e/requests.ts).'
      context.report({ node, message })
    },
  }),
}

export default { meta: { name: 'cityguide' }, rules: { 'no-network-idle': noNetworkIdle } }
