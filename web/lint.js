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
    /** @param {{ value: unknown }} node */
    const check = (node) => {
      // A template's text is `value.raw`.
      const text = typeof node.value === 'object' ? node.value?.raw : node.value
      if (!/\p{L}'\p{L}|s' /u.test(String(text))) return
      context.report({ node, message: 'Write a typographic apostrophe: ’' })
    }
    return { JSXText: check, Literal: check, TemplateElement: check }
  },
}

export default {
  meta: { name: 'cityguide' },
  rules: { 'no-network-idle': noNetworkIdle, 'no-straight-apostrophe': noStraightApostrophe },
}
