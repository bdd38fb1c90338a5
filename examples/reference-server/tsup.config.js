import { fileURLToPath } from 'node:url'

const inPackages = (path) => fileURLToPath(new URL(path, new URL('../../packages/', import.meta.url)))

/** What the built server finds in node_modules. */
const apart = [
  // Native.
  'better-sqlite3',
  '@node-rs/argon2',
  // Loaded only where a setting asks for it.
  'pg',
  '@sallyport/amqp',
  '@sallyport/cloudevents',
  '@sallyport/inngest',
  '@sallyport/nats',
  '@sallyport/redis',
  'pino-pretty',
  // Served, and not run.
  'redoc',
  'swagger-ui-dist',
]

/**
 * A few files instead of a thousand: to find and read those would take most of a start.
 *
 * @type {import('tsup').Options}
 */
export default {
  entry: {
    main: 'src/main.ts',
    // The threads of the database, which it looks for beside itself.
    'commit-worker': inPackages('sql/dist/commit-worker.js'),
    'query-worker': inPackages('sql/dist/query-worker.js'),
  },
  format: ['esm'],
  // Beside a server that still runs, what it has yet to load stays: all but the entries are named after their contents.
  clean: process.env.SALLYPORT_KEEP_BUILT === undefined,
  removeNodeProtocol: false,
  external: apart,
  noExternal: [new RegExp(`^(?!(?:${apart.join('|')})(?:/|$))`)],
  // Entries of the packages import chunks that they take nothing from: what is left of splitting them, and rightly ignored.
  esbuildOptions: (options) => {
    options.logOverride = { 'ignored-bare-import': 'silent' }
  },
  // CommonJS asks for Node's own modules by `require`.
  banner: {
    js: "import { createRequire as requireFrom } from 'node:module'\nconst require = requireFrom(import.meta.url)",
  },
}
