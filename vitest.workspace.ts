import { existsSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitest/config'

// Hundreds of processes load the same modules. The compile cache halves their start time.
process.env['NODE_COMPILE_CACHE'] ??= fileURLToPath(new URL('node_modules/.cache/node', import.meta.url))

const fromSource = {
  resolve: { conditions: ['@sallyport/source'] },
  ssr: { resolve: { conditions: ['@sallyport/source'] } },
}

const common = {
  // Worker threads and child processes also run from source.
  execArgv: ['--conditions=@sallyport/source'],
  // The default of one second is too short on a busy machine. The limit only ends tests that hang.
  expect: { poll: { timeout: 60_000 } },
  testTimeout: 120_000,
  hookTimeout: 120_000,
  // A busy machine of CI may make a test with services late. The reporter lists each retry.
  retry: process.env['CI'] === 'true' ? 1 : 0,
  // With isolation, workers spend half of their time on loading modules.
  isolate: false,
}

// The reference server compiles its schemas.
const compiled = { execArgv: [...common.execArgv, '--import=zod/compile'] }

// These files start many processes, browsers or services, or build packages.
const slow = '**/*.slow.test.ts'

// These files mock modules, fill caches of keys or inspect the heap, so they need isolation.
const alone = [
  'packages/buses/src/http/missing.test.ts',
  'packages/providers/test/catalogue.test.ts',
  'packages/sql/src/sqlite/create-file.test.ts',
  'packages/webhooks/test/schemes-web.test.ts',
  'packages/webhooks/src/dispatch/drainer-memory.test.ts',
]

// Folders with a lock file of their own.
const folders = [
  '.ci/tools',
  'examples/list-loaders',
  'packages/bench',
  'packages/test-support/runtimes',
  'packages/test-support/vendors',
]
const installed = folders.filter((folder) => existsSync(new URL(`${folder}/node_modules`, import.meta.url)))

const leftOut =
  process.env['SKIP_SERVICES'] === '1'
    ? ['Without services, browsers and other runtimes. "npm run test:all" runs every test.\n']
    : folders
        .filter((folder) => !installed.includes(folder))
        .map((folder) => `SKIPPED the tests of ${folder}: to run them, "npm ci --prefix ${folder}".\n`)
// Vitest loads this file again for each project.
if (process.env['LEFT_OUT_SHOWN'] !== '1') process.stderr.write(leftOut.join(''))
process.env['LEFT_OUT_SHOWN'] = '1'

export default defineConfig({
  test: {
    // Many tests wait for processes, leases and services and use little CPU.
    maxWorkers: availableParallelism() * 2 + 1,
    projects: [
      {
        ...fromSource,
        test: {
          ...common,
          name: 'packages',
          globalSetup: ['packages/console/test/setup.ts'],
          include: ['packages/*/src/**/*.test.ts', 'packages/*/test/**/*.test.ts'],
          exclude: [...alone, ...folders.map((folder) => `${folder}/**`), slow],
        },
      },
      { ...fromSource, test: { ...common, name: 'isolated', include: alone, isolate: true } },
      {
        ...fromSource,
        test: {
          ...common,
          ...compiled,
          name: 'examples',
          globalSetup: ['packages/console/test/setup.ts'],
          include: ['examples/*/src/**/*.test.ts', 'examples/*/test/**/*.test.ts'],
          exclude: [...folders.map((folder) => `${folder}/**`), slow],
        },
      },
      {
        ...fromSource,
        test: {
          ...common,
          ...compiled,
          name: 'compiled',
          include: ['packages/providers/src/**/*.test.ts'],
          // Services have no schemas.
          exclude: ['packages/providers/src/services/**', slow],
        },
      },
      {
        ...fromSource,
        test: {
          ...common,
          name: 'repository',
          include: ['.ci/{documents,github,packages,release,sources,stages}/**/*.test.ts'],
          exclude: [slow],
        },
      },
      {
        ...fromSource,
        test: {
          ...common,
          ...compiled,
          name: 'slow',
          globalSetup: ['packages/console/test/setup.ts'],
          include: ['{packages,examples,.ci}/**/*.slow.test.ts'],
        },
      },
      {
        ...fromSource,
        test: {
          ...common,
          name: 'folders',
          include: installed.map((folder) => `${folder}/**/*.test.ts`),
          exclude: ['**/node_modules/**'],
        },
      },
      {
        ...fromSource,
        test: {
          ...common,
          name: 'reliability',
          include: ['{packages,examples}/*/reliability/**/*.test.ts'],
          exclude: ['packages/buses/reliability/kafka/**'],
          globalSetup: ['examples/reference-server/reliability/seed.ts'],
          testTimeout: 300_000,
          // Processes are killed and disks fill up, so other suites have ended.
          sequence: { groupOrder: 1 },
        },
      },
      {
        ...fromSource,
        test: {
          ...common,
          name: 'reliability-kafka',
          include: ['packages/buses/reliability/kafka/**/*.test.ts'],
          testTimeout: 300_000,
          // Three brokers with their own JVM exceed their timeouts beside other suites.
          sequence: { groupOrder: 2 },
          fileParallelism: false,
        },
      },
    ],
  },
})
