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

const noStraightApostrophe = {
  /** @param {{ report: (problem: object) => void }} context */
  create: (context) => {
    /**
     * @param {object} node
     * @param {unknown} text
     */
    const check = (node, text) => {
      if (!/\p{L}'\p{L}|s' /u.test(String(text))) return
      context.report({ node, message: 'Write a typographic apostrophe: ’' })
    }
    return {
      /** @param {{ value: unknown }} node */
      JSXText: (node) => check(node, node.value),
      /** @param {{ value: unknown }} node */
      Literal: (node) => check(node, node.value),
      /** @param {{ value: { raw: string } }} node */
      TemplateElement: (node) => check(node, node.value.raw),
    }
  },
}

export default {
  meta: { name: 'cityguide' },
  rules: { 'no-network-idle': noNetworkIdle, 'no-straight-apostrophe': noStraightApostrophe },
}
