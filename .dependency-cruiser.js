// The dependency rules of docs/architecture.md.

/** The packages that each published package may import. */
const mayImport = {
  'packages/internal': [],
  'packages/errors': [],
  'packages/rest': ['errors', 'internal'],
  'packages/auth': ['errors', 'internal'],
  'packages/webhooks': ['errors', 'internal'],
  'packages/testing': ['errors', 'internal', 'webhooks', 'rest', 'auth'],
  'packages/providers': ['errors', 'webhooks', 'internal'],
  'packages/sql': ['errors', 'rest', 'auth', 'webhooks', 'internal'],
  'packages/operations': ['errors', 'rest', 'auth', 'webhooks', 'internal'],
  'packages/console': ['errors', 'rest', 'internal'],
  'packages/cli': ['errors', 'webhooks', 'providers', 'internal', 'buses', 'console', 'operations', 'rest'],
  'packages/create-sallyport': [],
  'packages/buses': ['errors', 'webhooks', 'internal'],
}

/** The folders of webhooks below the gateway, the stores and the dispatcher. */
const ground = ['crypto', 'ports', 'provider', 'schemes', 'parsers', 'handshakes']

/** The public entries of the packages. */
const entries = [
  '^packages/internal/src/[^/]+$',
  '^packages/[^/]+/src/index[.]ts$',
  '^packages/[^/]+/src/(catalogue|generic|samples|store)[.]ts$',
  '^packages/[^/]+/src/[^/]+/index[.]ts$',
  '^packages/buses/src/aws/[^/]+/index[.]ts$',
  '^packages/[^/]+/src/[^/]+/samples[.]ts$',
  '^packages/providers/src/(neutral|services)/[^/]+[.]ts$',
]
const tests = ['[.]test[.]ts$', '/test/', '/scripts/']

/** @type {import('dependency-cruiser').IConfiguration} */
export default {
  forbidden: [
    {
      name: 'no-circular',
      comment: 'Merge modules that import each other, or extract their common part.',
      severity: 'error',
      from: {},
      to: { circular: true, viaOnly: { dependencyTypesNot: ['type-only'] } },
    },
    {
      name: 'no-unresolvable',
      comment: 'An unresolved import fails at run time.',
      severity: 'error',
      // The packages of these folders are installed by the commands that need them.
      from: { pathNot: '^(examples/list-loaders|packages/(bench|test-support/(runtimes|vendors)))/' },
      // A package of types only.
      to: { couldNotResolve: true, pathNot: '^@octokit/webhooks-types$' },
    },
    ...Object.entries(mayImport).map(([folder, allowed]) => ({
      name: `imports-of-${folder.split('/')[1]}`,
      comment: `${folder} may import: ${allowed.join(', ') || 'no other package'}.`,
      severity: 'error',
      from: { path: `^${folder}/`, pathNot: tests },
      to: {
        path: '^(packages|examples)/',
        pathNot: [`^${folder}/`, ...allowed.map((name) => `^packages/${name}/`)],
      },
    })),
    {
      name: 'public-entries-only',
      comment: 'Import only the public entries of another package.',
      severity: 'error',
      // The benchmarks measure parts of the reference server, the tests of the command line start it, `npm start` builds the
      // console, and the other tests use test cases and secrets of packages.
      from: {
        path: '^(packages/[^/]+|examples/[^/]+)/',
        pathNot: [
          '^packages/(bench|test-support)/',
          '^packages/cli/test/reference-server[.]ts$',
          '^examples/reference-server/(bin/start[.]ts$|reliability/)',
        ],
      },
      to: { path: '^(packages|examples)/', pathNot: ['^$1/', ...entries] },
    },
    {
      name: 'nothing-imports-the-benchmarks',
      comment: 'Benchmarks are not part of the product.',
      severity: 'error',
      from: { pathNot: '^packages/bench/' },
      to: { path: '^packages/bench/' },
    },
    {
      name: 'adapters-use-the-public-entry',
      comment:
        'Adapters use only the public API, as third-party adapters must, and the rules for paths and bodies.',
      severity: 'error',
      from: { path: '^packages/webhooks/src/(fastify|lambda)/([^/]+)$', pathNot: tests },
      to: {
        path: '^packages/webhooks/src/',
        pathNot:
          '^packages/webhooks/src/($1/|((node|fetch)/)?index\\.ts$|gateway/(body-budget|path)\\.ts$|ports/refusals\\.ts$)',
      },
    },
    {
      name: 'ground-imports-nothing-above',
      comment: `The ground of webhooks (${ground.join(', ')}) imports only itself.`,
      severity: 'error',
      from: { path: `^packages/webhooks/src/(${ground.join('|')})/`, pathNot: tests },
      to: { path: '^packages/webhooks/src/', pathNot: `^packages/webhooks/src/(${ground.join('|')})/` },
    },
    {
      name: 'express-in-examples-only',
      comment: 'The packages do not depend on a framework.',
      severity: 'error',
      from: { pathNot: '^(examples|packages/bench|packages/(rest|operations|webhooks|console)/test)/' },
      to: { path: ['node_modules/express', 'node_modules/@types/express'] },
    },
    {
      name: 'no-dev-dependencies-in-sources',
      comment: 'A published module may import only its dependencies.',
      severity: 'error',
      from: {
        path: '^(packages|examples)/[^/]+/src/',
        pathNot: [...tests, '^packages/(bench|test-support)/', '^packages/console/src/app/'],
      },
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
    exclude: { path: '/dist/|^packages/create-sallyport/templates/' },
    tsConfig: { fileName: 'tsconfig.json' },
    tsPreCompilationDeps: 'specify',
    combinedDependencies: false,
    enhancedResolveOptions: {
      conditionNames: ['@sallyport/source', 'node', 'import', 'types', 'default'],
      exportsFields: ['exports'],
    },
  },
}
