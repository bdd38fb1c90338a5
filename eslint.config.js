import regexp from 'eslint-plugin-regexp'
import tseslint from 'typescript-eslint'

/** Folders with a lock file of their own, and templates. Rules that need types would need the packages that are installed there. */
const folders = [
  '.ci/tools/**/*.ts',
  'docs/.vitepress/**/*.ts',
  'examples/list-loaders/**/*.ts',
  'packages/bench/**/*.ts',
  'packages/create-sallyport/templates/**/*.ts',
  'packages/test-support/{runtimes,vendors}/**/*.ts',
]

export default tseslint.config(
  {
    ignores: [
      '**/dist/',
      '**/data/',
      'docs/.vitepress/cache/',
      '**/coverage/',
      'packages/console/src/app/api/{schema,planned}.ts',
    ],
  },
  {
    files: ['**/*.ts', '**/*.tsx'],
    extends: [tseslint.configs.strictTypeChecked],
    // One program for all packages; separate programs need 5.7 GB of memory.
    languageOptions: {
      parserOptions: {
        project: ['tsconfig.json', 'packages/console/src/app/tsconfig.json'],
        tsconfigRootDir: import.meta.dirname,
      },
    },
    linterOptions: { reportUnusedDisableDirectives: 'error' },
    rules: {
      eqeqeq: ['error', 'always', { null: 'ignore' }],
      'no-console': 'error',
      'no-restricted-properties': [
        'error',
        { object: 'Math', property: 'random', message: 'Pass randomness in as a parameter.' },
      ],
      '@typescript-eslint/consistent-type-imports': 'error',
      '@typescript-eslint/switch-exhaustiveness-check': 'error',
      // Numbers are safe in templates; the rule is for objects and undefined.
      '@typescript-eslint/restrict-template-expressions': ['error', { allowNumber: true }],
    },
  },
  {
    // A sender must not be able to hold the event loop with a text that a pattern reads in quadratic time.
    files: ['packages/*/src/**/*.{ts,tsx}', 'examples/*/src/**/*.ts'],
    ignores: ['**/*.test.ts'],
    plugins: { regexp },
    rules: {
      'regexp/no-super-linear-backtracking': 'error',
      'regexp/no-super-linear-move': 'error',
    },
  },
  {
    // Examples log to the console and have placeholder functions without await.
    files: ['examples/*/src/**/*.ts', 'packages/create-sallyport/templates/**/*.ts'],
    ignores: ['examples/reference-server/**'],
    rules: { 'no-console': 'off', '@typescript-eslint/require-await': 'off' },
  },
  {
    files: ['**/*.test.ts', '**/test/**/*.ts'],
    rules: {
      '@typescript-eslint/no-non-null-assertion': 'off',
      '@typescript-eslint/require-await': 'off',
    },
  },
  { files: folders, extends: [tseslint.configs.disableTypeChecked] },
)
