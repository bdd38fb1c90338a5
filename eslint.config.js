import tseslint from 'typescript-eslint'

export default tseslint.config(
  { ignores: ['**/dist/', '**/data/', 'docs/api/', '**/coverage/'] },
  {
    files: ['**/*.ts'],
    extends: [tseslint.configs.strictTypeChecked],
    // One program of everything: one for each package took 5.7 GB.
    languageOptions: { parserOptions: { project: 'tsconfig.json', tsconfigRootDir: import.meta.dirname } },
    linterOptions: { reportUnusedDisableDirectives: 'error' },
    rules: {
      eqeqeq: ['error', 'always', { null: 'ignore' }],
      'no-console': 'error',
      'no-restricted-properties': [
        'error',
        { object: 'Math', property: 'random', message: 'Randomness is passed in.' },
      ],
      '@typescript-eslint/consistent-type-imports': 'error',
      '@typescript-eslint/switch-exhaustiveness-check': 'error',
      // Numbers are safe in a template; objects and undefined are what the rule is for.
      '@typescript-eslint/restrict-template-expressions': ['error', { allowNumber: true }],
    },
  },
  {
    // What somebody tries out tells its story on the terminal, where real work would be waited for.
    files: ['examples/*/src/**/*.ts'],
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
)
