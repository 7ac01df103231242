import js from '@eslint/js'
import reactHooks from 'eslint-plugin-react-hooks'
import globals from 'globals'
import tseslint from 'typescript-eslint'

// Imports flow one way: routes → features → ui and lib. `#/` is src/.
const layer = (files, forbidden, message) => ({
  files,
  rules: {
    'no-restricted-imports': [
      'error',
      {
        patterns: [
          { group: forbidden, message },
          { group: ['**/index', '**/index.ts'], message: 'No barrel files.' },
        ],
      },
    ],
  },
})

export default tseslint.config(
  {
    ignores: ['dist', 'node_modules', 'src/api/schema.d.ts', 'test-results', 'playwright-report'],
  },
  js.configs.recommended,
  ...tseslint.configs.strict,
  reactHooks.configs.flat['recommended-latest'],
  {
    languageOptions: { globals: { ...globals.browser, ...globals.node } },
    rules: {
      'max-lines': ['warn', { max: 400, skipBlankLines: true, skipComments: true }],
      'no-console': 'error',
      eqeqeq: ['error', 'always', { null: 'ignore' }],
      '@typescript-eslint/consistent-type-imports': 'error',
    },
  },
  layer(
    ['src/lib/**', 'src/api/**'],
    ['#/routes/*', '#/features/**', '#/ui/*', '**/routes/**', '**/features/**', '**/ui/**'],
    'lib and api stand on nothing of ours.',
  ),
  layer(
    ['src/ui/**'],
    ['#/routes/*', '#/features/**', '#/api/*', '**/routes/**', '**/features/**', '**/api/**'],
    'ui knows lib only.',
  ),
  layer(
    ['src/features/**'],
    ['#/routes/*', '**/routes/**', '#/main', '#/router'],
    'Features do not know routes.',
  ),
)
