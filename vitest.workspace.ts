import { availableParallelism } from 'node:os'
import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitest/config'

// Hundreds of processes load the same modules: compiled once, the rest start in half the time.
process.env['NODE_COMPILE_CACHE'] ??= fileURLToPath(new URL('node_modules/.cache/node', import.meta.url))

const fromSource = {
  resolve: { conditions: ['@sallyport/source'] },
  ssr: { resolve: { conditions: ['@sallyport/source'] } },
}

const common = {
  // Worker threads and child processes that a test starts run from source too.
  execArgv: ['--conditions=@sallyport/source'],
  // What a test waits for comes soon, but not within the default of a second on a machine that does other things:
  // a limit ends what hangs, and is no measurement.
  expect: { poll: { timeout: 60_000 } },
  testTimeout: 120_000,
  hookTimeout: 120_000,
  // A worker that loads every module again for each file is at that for half of its time.
  isolate: false,
}

// The reference server compiles its schemas, and others that read payloads are told to.
const compiled = { execArgv: [...common.execArgv, '--import=zod/compile'] }

// One replaces modules, which would last for the files behind it; the others walk the heap, with all that they left there.
const alone = [
  'packages/webhooks/test/schemes-web.test.ts',
  'packages/webhooks/src/body-collector.test.ts',
  'packages/webhooks/src/drainer-memory.test.ts',
]

export default defineConfig({
  test: {
    // Many files wait for processes, leases and engines rather than compute.
    maxWorkers: availableParallelism() * 2 + 1,
    projects: [
      {
        ...fromSource,
        test: {
          ...common,
          name: 'packages',
          include: ['packages/*/src/**/*.test.ts', 'packages/*/test/**/*.test.ts'],
          exclude: alone,
        },
      },
      { ...fromSource, test: { ...common, name: 'isolated', include: alone, isolate: true } },
      {
        ...fromSource,
        test: {
          ...common,
          ...compiled,
          name: 'examples',
          include: ['examples/*/src/**/*.test.ts', 'examples/*/test/**/*.test.ts'],
        },
      },
      {
        ...fromSource,
        test: {
          ...common,
          ...compiled,
          name: 'compiled',
          include: ['packages/providers/src/**/*.test.ts'],
        },
      },
      {
        ...fromSource,
        test: {
          ...common,
          name: 'repository',
          include: ['.ci/{documents,github,packages,release}/**/*.test.ts'],
        },
      },
      {
        ...fromSource,
        test: {
          ...common,
          name: 'reliability',
          include: ['{packages,examples}/*/reliability/**/*.test.ts'],
          globalSetup: ['examples/reference-server/reliability/seed.ts'],
          testTimeout: 300_000,
        },
      },
    ],
  },
})
