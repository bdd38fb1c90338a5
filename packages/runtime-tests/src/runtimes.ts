import { fileURLToPath } from 'node:url'
import manifest from '../runtimes/package.json' with { type: 'json' }
import { runProcess } from './run-process.ts'
import { runWorkerd } from './run-workerd.ts'
import type { Runtime } from './runtime.ts'

type Installed = keyof typeof manifest.optionalDependencies

/** A program of one of the packages in `runtimes`. */
function installed(label: string, from: Installed, path: string, args: readonly string[] = []): Runtime {
  const program = fileURLToPath(new URL(`../runtimes/node_modules/${from}/${path}`, import.meta.url))
  const version = manifest.optionalDependencies[from].replace(/^npm:.*@/, '')
  return { name: `${label} ${version}`, program, run: (input) => runProcess(program, args, input) }
}

/** The oldest Node that the packages promise, the one that this repository carries, the newest, and the others. */
export const runtimes: readonly Runtime[] = [
  installed('Node', 'node-22', 'bin/node'),
  { name: `Node ${process.versions.node}`, run: (input) => runProcess(process.execPath, [], input) },
  installed('Node', 'node-26', 'bin/node'),
  installed('Bun', '@oven/bun-linux-x64', 'bin/bun', ['run', '--no-install']),
  installed('Deno', '@deno/linux-x64-glibc', 'deno', ['run', '--allow-all', '--no-lock', '--no-remote']),
  { name: 'workerd', run: (input) => runWorkerd('portable-worker', [], input) },
  {
    name: 'workerd, nodejs_compat',
    run: (input) => runWorkerd('compatible-worker', ['nodejs_compat'], input),
  },
]
