import { fileURLToPath } from 'node:url'
import { runProcess } from './run-process.ts'
import { runWorkerd } from './run-workerd.ts'
import type { SuiteInput } from './suite/process.ts'
import manifest from '../package.json' with { type: 'json' }

/** A runtime that the suite runs on. */
export interface Runtime {
  readonly name: string
  /** The path of the program; undefined if it is a dependency of the repository. */
  readonly program?: string
  /** Resolves with the output of the suite. */
  readonly run: (input: SuiteInput) => Promise<string>
}

type Installed = keyof typeof manifest.optionalDependencies

const locate = (path: string) => fileURLToPath(new URL(`../node_modules/${path}`, import.meta.url))

/** Defines a runtime from a package in `package.json`. */
function installed(label: string, from: Installed, path: string, args: readonly string[] = []): Runtime {
  const program = locate(`${from}/${path}`)
  const version = manifest.optionalDependencies[from].replace(/^npm:.*@/, '')
  return { name: `${label} ${version}`, program, run: (input) => runProcess(program, args, input) }
}

const workerd = locate('workerd/bin/workerd')

/** The oldest supported Node, the current Node, the newest Node, and the other runtimes. */
export const runtimes: readonly Runtime[] = [
  installed('Node', 'node-22', 'bin/node'),
  { name: `Node ${process.versions.node}`, run: (input) => runProcess(process.execPath, [], input) },
  installed('Node', 'node-26', 'bin/node'),
  installed('Bun', '@oven/bun-linux-x64', 'bin/bun', ['run', '--no-install']),
  installed('Deno', '@deno/linux-x64-glibc', 'deno', ['run', '--allow-all', '--no-lock', '--no-remote']),
  { name: 'workerd', program: workerd, run: (input) => runWorkerd('portable-worker', [], input) },
  {
    name: 'workerd, nodejs_compat',
    program: workerd,
    run: (input) => runWorkerd('compatible-worker', ['nodejs_compat'], input),
  },
]
