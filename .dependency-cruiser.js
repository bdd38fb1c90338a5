// The arrows of docs/architecture.md: they only point down, and only at public entries.

/** What each room may import, beside libraries; a package that is named nowhere is an engine. */
const mayImport = {
  'packages/internal': [],
  'packages/errors': [],
  'packages/rest': ['errors', 'internal'],
  'packages/auth': ['errors', 'internal'],
  'packages/webhooks': ['errors', 'internal'],
  'packages/providers': ['errors', 'webhooks', 'internal'],
  'packages/sql': ['errors', 'rest', 'auth', 'webhooks', 'internal'],
  'packages/cli': ['errors', 'webhooks', 'providers', 'internal'],
}
const engineMayImport = ['errors', 'webhooks', 'internal']
/** Packages that are published nowhere. */
const workshops = ['bench', 'runtime-tests', 'test-hosts', 'test-services'].map((name) => `packages/${name}`)

/** The modules that the packages' `exports` name. */
const entries = [
  '^packages/internal/src/[^/]+$',
  '^packages/[^/]+/src/index[.]ts$',
  '^packages/[^/]+/src/samples[.]ts$',
  '^packages/[^/]+/src/[^/]+/index[.]ts$',
  '^packages/[^/]+/src/[^/]+/samples[.]ts$',
]
const tests = ['[.]test[.]ts$', '/test/', '/scripts/']

/** @type {import('dependency-cruiser').IConfiguration} */
export default {
  forbidden: [
    {
      name: 'no-circular',
      comment: 'Two modules that need each other are one idea, or two with a third between them.',
      severity: 'error',
      from: {},
      to: { circular: true, viaOnly: { dependencyTypesNot: ['type-only'] } },
    },
    {
      name: 'no-unresolvable',
      comment: 'An import that leads nowhere fails at run time.',
      severity: 'error',
      from: {},
      to: { couldNotResolve: true },
    },
    ...Object.entries(mayImport).map(([room, allowed]) => ({
      name: `arrows-of-${room.split('/')[1]}`,
      comment: `${room} may import: ${allowed.join(', ') || 'no other package'}.`,
      severity: 'error',
      from: { path: `^${room}/`, pathNot: tests },
      to: {
        path: '^(packages|examples)/',
        pathNot: [`^${room}/`, ...allowed.map((name) => `^packages/${name}/`)],
      },
    })),
    {
      name: 'arrows-of-engines',
      comment: `An engine may import: ${engineMayImport.join(', ')}.`,
      severity: 'error',
      from: {
        path: '^packages/([^/]+)/',
        pathNot: [...tests, ...[...Object.keys(mayImport), ...workshops].map((room) => `^${room}/`)],
      },
      to: {
        path: '^(packages|examples)/',
        pathNot: ['$1', ...engineMayImport].map((name) => `^packages/${name}/`),
      },
    },
    {
      name: 'public-entries-only',
      comment: "Another package's internals can change at any time: import what its exports name.",
      severity: 'error',
      // The benchmarks measure the reference server's own parts, which has no entry; the runtimes are given the cases
      // that a package tests itself with.
      from: { path: '^(packages/[^/]+|examples/[^/]+)/', pathNot: '^packages/(bench|runtime-tests)/' },
      to: { path: '^(packages|examples)/', pathNot: ['^$1/', ...entries] },
    },
    {
      name: 'nothing-imports-the-benchmarks',
      comment: 'What is measured does not know of it.',
      severity: 'error',
      from: { pathNot: '^packages/bench/' },
      to: { path: '^packages/bench/' },
    },
    {
      name: 'adapters-use-the-public-entry',
      comment: 'An adapter that needs internals could not have been written by anybody else.',
      severity: 'error',
      from: { path: '^packages/webhooks/src/(node|fetch|lambda)/([^/]+)$', pathNot: tests },
      to: { path: '^packages/webhooks/src/', pathNot: '^packages/webhooks/src/($1/|index\\.ts$)' },
    },
    {
      name: 'express-in-examples-only',
      comment: 'The packages know no framework.',
      severity: 'error',
      from: { pathNot: '^(examples|packages/bench)/' },
      to: { path: ['node_modules/express', 'node_modules/@types/express'] },
    },
    {
      name: 'no-dev-dependencies-in-sources',
      comment: 'What a published module imports has to be among its dependencies.',
      severity: 'error',
      from: { path: '^(packages|examples)/[^/]+/src/', pathNot: [...tests, '^packages/runtime-tests/'] },
      to: {
        // tsup inlines this package.
        pathNot: '^packages/internal/',
        dependencyTypes: ['npm-dev', 'npm-no-pkg', 'npm-unknown'],
        dependencyTypesNot: ['type-only', 'npm', 'npm-peer', 'npm-optional'],
      },
    },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    exclude: { path: '/dist/' },
    tsConfig: { fileName: 'tsconfig.json' },
    tsPreCompilationDeps: 'specify',
    combinedDependencies: false,
    enhancedResolveOptions: {
      conditionNames: ['@sallyport/source', 'node', 'import', 'types', 'default'],
      exportsFields: ['exports'],
    },
  },
}
