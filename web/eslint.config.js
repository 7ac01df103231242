import js from '@eslint/js'
import { createTypeScriptImportResolver } from 'eslint-import-resolver-typescript'
import importX from 'eslint-plugin-import-x'
import jsxA11y from 'eslint-plugin-jsx-a11y-x'
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
    ignores: [
      ...['dist', 'generated', 'node_modules', 'test-results', 'playwright-report'],
      'src/api/schema.d.ts',
      'src/routes/table.ts',
      'src/routes/fixed-routes.ts',
    ],
  },
  js.configs.recommended,
  ...tseslint.configs.strictTypeChecked,
  reactHooks.configs.flat['recommended-latest'],
  jsxA11y.configs.strict,
  {
    languageOptions: {
      globals: { ...globals.browser, ...globals.node },
      parserOptions: { projectService: true, tsconfigRootDir: import.meta.dirname },
    },
    plugins: { 'import-x': importX },
    settings: {
      ...importX.flatConfigs.typescript.settings,
      'import-x/resolver-next': [createTypeScriptImportResolver()],
    },
    rules: {
      'import-x/no-cycle': 'error',
      'max-lines': ['warn', { max: 400, skipBlankLines: true, skipComments: true }],
      'no-console': 'error',
      eqeqeq: ['error', 'always', { null: 'ignore' }],
      '@typescript-eslint/consistent-type-imports': 'error',
      '@typescript-eslint/no-confusing-void-expression': ['error', { ignoreArrowShorthand: true }],
      '@typescript-eslint/restrict-template-expressions': ['error', { allowNumber: true }],
    },
  },
  {
    files: ['**/*.test.{ts,tsx}', 'test/**', 'e2e/**', 'bench/**'],
    rules: {
      // Stand-ins answer immediately, and spies are passed to `expect` without being called.
      '@typescript-eslint/require-await': 'off',
      '@typescript-eslint/unbound-method': 'off',
    },
  },
  {
    // A browser test must give the same result on a slow machine.
    files: ['e2e/**'],
    rules: {
      'no-restricted-properties': [
        'error',
        {
          property: 'waitForTimeout',
          message:
            'Wait for a state, a request or a response, or move the clock of the page (e2e/clock.ts).',
        },
      ],
      'no-restricted-globals': [
        'error',
        {
          name: 'setTimeout',
          message:
            'Wait for a state, a request or a response, or hold a request until the page is ready (e2e/requests.ts).',
        },
      ],
      'no-restricted-syntax': [
        'error',
        {
          selector: 'Literal[value="networkidle"]',
          message:
            'It waits for half a second without requests: use `pageLoaded` (e2e/requests.ts).',
        },
      ],
    },
  },
  { files: ['**/*.js'], extends: [tseslint.configs.disableTypeChecked] },
  layer(
    ['src/lib/**', 'src/api/**'],
    ['#/routes/*', '#/features/**', '#/ui/*', '**/routes/**', '**/features/**', '**/ui/**'],
    'lib and api import no other layer.',
  ),
  layer(
    ['src/ui/**'],
    ['#/routes/*', '#/features/**', '#/api/*', '**/routes/**', '**/features/**', '**/api/**'],
    'ui imports only lib.',
  ),
  layer(
    ['src/features/**'],
    ['#/routes/*', '**/routes/**', '#/main', '#/router'],
    'Features do not import routes.',
  ),
)
