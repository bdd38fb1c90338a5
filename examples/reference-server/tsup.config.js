import { fileURLToPath } from 'node:url'

const inPackages = (path) => fileURLToPath(new URL(path, new URL('../../packages/', import.meta.url)))

/** The packages that are not bundled, as patterns. */
const external = [
  // Native modules.
  'better-sqlite3',
  '@node-rs/argon2',
  // Loaded only for a setting.
  'pg',
  '@aws-sdk/client-s3',
  // The declarations of destinations are read at each start.
  '@sallyport/buses(?!/destinations-file)',
  'undici',
  'pino-pretty',
  // Loaded on demand. Their imports of single services would split the bundle into a file for each service.
  '@sallyport/providers/catalogue',
  '@sallyport/providers/samples',
  // Served to browsers.
  '@sallyport/console',
  'redoc',
  'swagger-ui-dist',
]

/**
 * Bundles a few files instead of a thousand, which would take most of the start.
 *
 * @type {import('tsup').Options}
 */
export default {
  entry: {
    main: 'src/main.ts',
    // The worker threads of the database, which are loaded from the same folder.
    'commit-worker': inPackages('sql/dist/commit-worker.js'),
    'query-worker': inPackages('sql/dist/query-worker.js'),
  },
  format: ['esm'],
  clean: true,
  removeNodeProtocol: false,
  external: [new RegExp(`^(?:${external.join('|')})(?:/|$)`)],
  noExternal: [new RegExp(`^(?!(?:${external.join('|')})(?:/|$))`)],
  // The split entries of the packages have imports without bindings, which esbuild may drop.
  esbuildOptions: (options) => {
    options.logOverride = { 'ignored-bare-import': 'silent' }
  },
  // CommonJS modules load modules of Node.js with `require`.
  banner: {
    js: "import { createRequire as requireFrom } from 'node:module'\nconst require = requireFrom(import.meta.url)",
  },
}
